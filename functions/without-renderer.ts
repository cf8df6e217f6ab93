/** Replaces the generated module in a Worker without it, which answers searches as unavailable. */
export const compiled = null
