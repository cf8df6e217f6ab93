/**
 * Replaces the generated module `vitrina:compiled` in a Worker without a renderer. Such a Worker answers every search
 * with status 503.
 */
export const compiled = null
