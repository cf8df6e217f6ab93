/** The files of the store whose names contain a hash of their content: pictures, and compiled files. */

const FILE = /^(?:fotos|social|_astro)\/[\w~-][\w.~@-]{0,200}$/

/** Returns whether a file at this path, without a slash before it, may be stored and served. */
export function isStoredFile(path: string): boolean {
  return FILE.test(path)
}
