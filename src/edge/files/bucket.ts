/** The bucket with the site's files: the parts of an R2 binding that the Worker uses, and the reads of one request. */

/** Max bytes of a key. Source: https://developers.cloudflare.com/r2/platform/limits/ */
export const LONGEST_KEY = 1_024

export interface BucketFile {
  readonly key: string
  /** MD5 of the bytes, in hex. */
  readonly etag: string
}

interface StoredBody extends BucketFile {
  readonly body: ReadableStream<Uint8Array>
  text(): Promise<string>
}

/** Source: https://developers.cloudflare.com/r2/api/workers/workers-api-reference/ */
export interface Bucket {
  head(key: string): Promise<BucketFile | null>
  get(key: string): Promise<StoredBody | null>
  put(key: string, body: ReadableStream<Uint8Array>, options: { readonly md5: Uint8Array }): Promise<unknown>
  delete(key: string): Promise<void>
  list(options: { readonly prefix: string; readonly cursor?: string; readonly limit?: number }): Promise<{
    readonly objects: readonly BucketFile[]
    readonly truncated: boolean
    readonly cursor?: string
  }>
}

/** Reads of files by their decoded path in the site. */
export interface FileReads {
  /** Returns `null` if there is no such file. */
  find(path: string): Promise<BucketFile | null>
  /** Returns the body of a file that `find` has returned. Rejects if it was removed since. */
  open(file: BucketFile): Promise<StoredBody>
  /** Cancels a body that was requested, but not opened. */
  close(): Promise<void>
}

/** Files that static assets take as their configuration, and do not serve. */
const HIDDEN = ['/_headers', '/_redirects', '/.assetsignore']

/** Returns whether a file may have this key. */
export function isFileKey(key: string): boolean {
  if (key === '' || key.endsWith('/') || /\p{Cc}/u.test(key)) return false
  return new TextEncoder().encode(key).length <= LONGEST_KEY
}

/** `guess` is the path of the file that the request probably gets. Its body is requested at once. */
export function openFileReads(bucket: Bucket, guess: string): FileReads {
  const readKey = (path: string): string | null => {
    const key = path.slice(1)
    return isFileKey(key) && !HIDDEN.includes(path) ? key : null
  }
  const guessed = readKey(guess)
  const opened = guessed === null ? Promise.resolve(null) : bucket.get(guessed)
  let isOpened = false
  const found = new Map<string, Promise<BucketFile | null>>([[guess, opened]])
  return {
    find: (path) => {
      const key = readKey(path)
      const file = found.get(path) ?? (key === null ? Promise.resolve(null) : bucket.head(key))
      found.set(path, file)
      return file
    },
    open: async (file) => {
      isOpened ||= file.key === guessed
      const body = await (file.key === guessed ? opened : bucket.get(file.key))
      if (body === null) throw new Error(`${file.key} was removed while it was read`)
      return body
    },
    close: async () => {
      const unused = isOpened ? null : await opened
      await unused?.body.cancel()
    },
  }
}
