/**
 * Calls of a builder to the files of a bucket: `PUT`, `DELETE` and, to list keys with a prefix, `GET`. A key is the path
 * of a file in the output folder.
 */
import { isRecord, parseJson } from '../documents/json.ts'

const FILES_PATH = '/api/files/'

export const FILE_LIMITS = {
  /** Max bytes of a file, as with static assets. */
  bytes: 25 * 1024 * 1024,
  /** Max time that a body may take, in ms. */
  body: 20_000,
  /** Max bytes of a key. Source: https://developers.cloudflare.com/r2/platform/limits/ */
  key: 1_024,
} as const

/** Query parameter of a list: the `cursor` of the page before. */
export const CURSOR = 'cursor'

/** A page of the keys with a prefix, in order, with the MD5 of their files in hex. */
export interface ListedFiles {
  readonly files: readonly (readonly [key: string, md5: string])[]
  /** `null` on the last page. */
  readonly cursor: string | null
}

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

/** Returns whether a file may have this key. */
export function isFileKey(key: string): boolean {
  if (key === '' || key.endsWith('/') || /\p{Cc}/u.test(key)) return false
  return new TextEncoder().encode(key).length <= FILE_LIMITS.key
}

/** Returns `null` if the text is not a page of keys. */
export function parseListedFiles(text: string): ListedFiles | null {
  const value = parseJson(text)
  return isListed(value) ? value : null
}

function isListed(value: unknown): value is ListedFiles {
  return (
    isRecord(value) &&
    (value['cursor'] === null || typeof value['cursor'] === 'string') &&
    Array.isArray(value['files']) &&
    value['files'].every((file) => Array.isArray(file) && file.every((part) => typeof part === 'string'))
  )
}
