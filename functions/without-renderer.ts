/**
 * Replaces the generated module `vitrina:compiled` in a Worker without a renderer, which answers searches as
 * unavailable.
 */
export const compiled = null
