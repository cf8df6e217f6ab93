/**
 * Decides which paths may be files of the store: pictures and compiled files, whose names contain a hash of their
 * content.
 */

const FILE = /^(?:fotos|social|_astro)\/[\w~-][\w.~@-]{0,200}$/

/** Returns whether a file at this path, which has no leading slash, may be stored and served. */
export function isStoredFile(path: string): boolean {
  return FILE.test(path)
}
