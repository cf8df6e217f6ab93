/** In place of the generated module, for a Worker that was started without it: its search has no page. */
export const compiled = null
