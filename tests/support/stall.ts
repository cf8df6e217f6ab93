/** Loaded first by a command: no page that is rendered ever comes to its end. */
Response.prototype.bytes = () => new Promise(() => {})
