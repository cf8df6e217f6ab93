/** A preload for a command: rendering a page never finishes. */
Response.prototype.bytes = () => new Promise(() => {})
