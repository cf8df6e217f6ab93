/**
 * Calls of a builder to the files of a bucket: `PUT`, `DELETE` and, to list keys with a prefix, `GET`. A key is the path
 * of a file in the output folder.
 */
import * as v from 'valibot'
import { parseJson } from '../documents/json.ts'

const FILES_PATH = '/api/files/'

/** Query parameter of a list: the `cursor` of the page before. */
export const CURSOR = 'cursor'

const LISTED_FILES = v.object({
  files: v.array(v.tuple([v.string(), v.string()])),
  cursor: v.nullable(v.string()),
})

/** A page of keys with a prefix, each with the MD5 of its file in hex. `cursor` is `null` on the last page. */
export type ListedFiles = v.InferOutput<typeof LISTED_FILES>

export function formatFileCall(key: string): string {
  return FILES_PATH + key.split('/').map(encodeURIComponent).join('/')
}

/** Returns the key, or the prefix of a list; `null` if the path is not that of a call. */
export function parseFileCall(path: string): string | null {
  if (!path.startsWith(FILES_PATH)) return null
  try {
    return decodeURIComponent(path.slice(FILES_PATH.length))
  } catch {
    return null
  }
}

/** Returns `null` if the text is not a page of keys. */
export function parseListedFiles(text: string): ListedFiles | null {
  const value = parseJson(text)
  return v.is(LISTED_FILES, value) ? value : null
}
