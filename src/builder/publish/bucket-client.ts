/** A builder's calls to the files of a bucket, through the site's Worker. */
import { createHash, randomUUID } from 'node:crypto'
import { CURSOR, formatFileCall, parseListedFiles } from '../../domain/wire/file-calls.ts'
import { tryAgain } from '../../domain/work/try-again.ts'
import { CallError } from './coordinator/coordinator-client.ts'

export interface BucketClient {
  /** Returns the MD5s, in hex, of all files whose keys begin with `prefix`, by key. */
  list(prefix: string): Promise<ReadonlyMap<string, string>>
  put(key: string, bytes: Uint8Array): Promise<void>
  remove(key: string): Promise<void>
  /** Returns the content security policy of the live site; empty if it has none. */
  readPolicy(): Promise<string>
}

interface BucketClientOptions {
  /** Origin of the site's Worker. */
  readonly origin: string
  /** Token of the lease. */
  readonly token: string
  /** Called before each change. Rejects unless the lease goes on for at least 60 s. */
  readonly permit: () => Promise<void>
  readonly wait: (ms: number) => Promise<unknown>
}

/** In ms. The Worker ends a body after 20 s. */
const PATIENCE = 30_000
const TRIES = 6
/** R2 takes one write a second to a key. */
const PAUSE = 1_000

export function createBucketClient({ origin, token, permit, wait }: BucketClientOptions): BucketClient {
  const call = async (address: string, options: RequestInit = {}): Promise<Response> => {
    const url = new URL(address, origin)
    const headers = { authorization: `Bearer ${token}`, ...options.headers }
    const response = await fetch(url, { ...options, headers, signal: AbortSignal.timeout(PATIENCE) })
    if (response.ok) return response
    const reason = (await response.text()).slice(0, 200)
    const asked = `${options.method ?? 'GET'} ${url.pathname}`
    throw new CallError(`${asked} was answered with ${response.status}: ${reason}`, response.status)
  }
  const repeat = <Result>(work: () => Promise<Result>): Promise<Result> =>
    tryAgain(work, { most: TRIES, findPause: (failures) => PAUSE * failures, mayPass: isPassing, wait })
  const change = (key: string, options: RequestInit): Promise<void> =>
    repeat(async () => {
      await permit()
      await call(formatFileCall(key), options)
    })
  return {
    list: async (prefix) => {
      const found = new Map<string, string>()
      for (let cursor: string | null = ''; cursor !== null;) {
        const query: string = cursor === '' ? '' : `?${CURSOR}=${encodeURIComponent(cursor)}`
        const text = await repeat(async () => (await call(formatFileCall(prefix) + query)).text())
        const page = parseListedFiles(text)
        if (page === null)
          throw new Error(`the list of ${prefix} in the bucket cannot be read: ${text.slice(0, 200)}`)
        for (const [key, md5] of page.files) found.set(key, md5)
        cursor = page.cursor
      }
      return found
    },
    put: (key, bytes) =>
      change(key, {
        method: 'PUT',
        body: new Uint8Array(bytes),
        headers: { 'content-md5': createHash('md5').update(bytes).digest('base64') },
      }),
    remove: (key) => change(key, { method: 'DELETE' }),
    readPolicy: () =>
      repeat(async () => {
        const response = await fetch(new URL(`/?${randomUUID()}`, origin), {
          signal: AbortSignal.timeout(PATIENCE),
        })
        await response.body?.cancel()
        if (response.status >= 500)
          throw new CallError(`GET / was answered with ${response.status}`, response.status)
        return response.headers.get('content-security-policy') ?? ''
      }),
  }
}

/**
 * Returns whether a repeated call may succeed: there was no answer, a timeout, too many calls, a fault, or a Worker of
 * before, which has no bucket (404), because a new one is not everywhere at once.
 */
function isPassing(error: unknown): boolean {
  if (error instanceof CallError) return [404, 408, 429].includes(error.status) || error.status >= 500
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')
}
