/**
 * Decides which ids of sellers and products can have a page: the address must lead to exactly one file, which the
 * deploy tool uploads.
 */

import { isTakenName } from './page-address.ts'

/** Max file name length on common file systems, in bytes of UTF-8. */
const MAX_FILE_NAME = 255
const SUFFIX = '.html'

// Ids whose address would lead to another page: the edge serves `index` of a folder at the folder's address, and
// browsers remove `.` and `..` from paths.
const TAKEN = ['index', '.', '..']

/**
 * Names of files and folders that wrangler does not upload. No id may be one of these names, because a seller's id
 * names the folder with the seller's product pages. Source: wrangler, `createAssetsIgnoreFunction`
 */
const SKIPPED = new Set(['node_modules', '.git', '.DS_Store'])

// Fast path of `findIdProblem`: an id of this form, as apps generate them, passes all the checks that follow.
const USUAL = /^[A-Za-z0-9_-]{6,200}$/

/** Returns the reason if no settings permit a page for this id; `null` if some settings do. */
export function findIdProblem(id: string): string | null {
  if (SKIPPED.has(id)) return 'is a name that the deploy tool skips'
  if (USUAL.test(id)) return null
  if (id === '') return 'is empty'
  if (!id.isWellFormed()) return 'contains half of a surrogate pair, which is not valid Unicode'
  if (TAKEN.includes(id) || isTakenName(id, {})) return 'is an address of the site itself'
  if (/[/\\]/.test(id)) return 'contains a slash or a backslash'
  if (/\p{Cc}/u.test(id)) return 'holds a control character'
  if (/[\p{Cf}\p{DI}\u2800]/u.test(id)) return 'holds invisible characters'
  if (/[\u3000\uFF01-\uFF5E]/.test(id)) return 'contains a full-width character'
  if (id.normalize('NFC') !== id) return 'is not in Unicode form NFC'
  if (/\.html?$/i.test(id)) return 'ends in .html or .htm, like a file of the site'
  if (new TextEncoder().encode(id + SUFFIX).length > MAX_FILE_NAME) return 'is too long for a file name'
  return null
}
