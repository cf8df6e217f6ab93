/**
 * Calls of a builder to the files of a bucket. Only the holder of the lease may change files: its token is checked before
 * a body is read, and again right before it is stored.
 */
import { readMessage } from '../../domain/documents/errors.ts'
import { LARGEST_FILE } from '../../domain/pages/site.ts'
import type { ListedFiles } from '../../domain/wire/file-calls.ts'
import { CURSOR, parseFileCall } from '../../domain/wire/file-calls.ts'
import type { Bucket } from './bucket.ts'
import { isFileKey } from './bucket.ts'

interface FilesApiOptions {
  /** Returns milliseconds. */
  readonly now: () => number
  readonly log: (line: string) => void
  /** How long a body may take, in ms. */
  readonly patience?: number
}

interface FilesContext {
  readonly bucket: Bucket
  /** Returns whether the builder with this token holds the lease now. */
  readonly isHolder: (token: string) => Promise<boolean>
}

/** How long a body may take, in ms. */
const PATIENCE = 20_000
/** How long an isolate remembers who holds the lease, in ms. */
const REMEMBERED = 10_000

class RefusedError extends Error {
  readonly status: number
  constructor(status: number, reason: string) {
    super(reason)
    this.status = status
  }
}

type AnswerFileCall = (request: Request, context: FilesContext) => Promise<Response>

/** Requests of an isolate share the function. It never rejects. */
export function createFilesApi({ now, log, patience = PATIENCE }: FilesApiOptions): AnswerFileCall {
  let holder: { readonly token: string; readonly until: number } | null = null
  return async (request, { bucket, isHolder }) => {
    const [, token = ''] = /^Bearer (\S{1,200})$/.exec(request.headers.get('authorization') ?? '') ?? []
    const check = async (): Promise<void> => {
      if (holder?.token === token && now() < holder.until) return
      const until = now() + REMEMBERED
      if (!(await isHolder(token))) throw new RefusedError(409, 'this builder does not hold the lease')
      holder = { token, until }
    }
    const headers = { 'cache-control': 'no-store' }
    try {
      if (token === '') throw new RefusedError(401, 'unauthorized')
      await check()
      const listed = await answerHolder(request, { bucket, check, patience })
      return listed === null
        ? new Response(null, { status: 204, headers })
        : Response.json(listed, { headers })
    } catch (error) {
      const status = findStatus(error)
      if (status === 503) log(`files: ${readMessage(error)}`)
      return Response.json({ error: readMessage(error) }, { status, headers })
    }
  }
}

/** Source: https://developers.cloudflare.com/r2/api/error-codes/ */
function findStatus(error: unknown): number {
  if (error instanceof RefusedError) return error.status
  const message = readMessage(error)
  // Too many writes to one key.
  if (message.includes('(10058)')) return 429
  // The body has another MD5.
  return message.includes('(10037)') ? 400 : 503
}

interface HolderContext extends Pick<FilesContext, 'bucket'> {
  /** Rejects unless the builder still holds the lease. */
  readonly check: () => Promise<void>
  readonly patience: number
}

/** Returns the keys of a list. */
async function answerHolder(request: Request, context: HolderContext): Promise<ListedFiles | null> {
  const { pathname, searchParams } = new URL(request.url)
  const key = parseFileCall(pathname) ?? ''
  if (request.method === 'GET') return list(key, searchParams.get(CURSOR), context.bucket)
  if (!isFileKey(key)) throw new RefusedError(400, 'no file may have this key')
  if (request.method === 'DELETE') await context.bucket.delete(key)
  else if (request.method === 'PUT') await store(request, key, context)
  else throw new RefusedError(405, 'use GET, PUT or DELETE')
  return null
}

async function list(prefix: string, cursor: string | null, bucket: Bucket): Promise<ListedFiles> {
  const page = await bucket.list({ prefix, ...(cursor !== null && { cursor }) })
  const files = page.objects.map(({ key, etag }): [string, string] => [key, etag])
  return { files, cursor: page.truncated ? (page.cursor ?? null) : null }
}

async function store({ headers, body }: Request, key: string, context: HolderContext): Promise<void> {
  const length = Number(headers.get('content-length') ?? Number.NaN)
  const digest = headers.get('content-md5') ?? ''
  if (!Number.isSafeInteger(length)) throw new RefusedError(411, 'send a content-length')
  if (length > LARGEST_FILE) throw new RefusedError(413, 'the file is too large')
  if (!/^[\w+/]{22}==$/.test(digest)) throw new RefusedError(400, 'send the MD5 of the file')
  const md5 = Uint8Array.from(atob(digest), (character) => character.charCodeAt(0))
  const { readable, writable } = new FixedLengthStream(length)
  // The bucket stores nothing unless the body has come to its end.
  const stored = context.bucket.put(key, readable, { md5 })
  // What goes wrong in the bucket ends the pass, too. The error of the bucket says why.
  stored.catch(() => {})
  try {
    await pass(body ?? new Blob([]).stream(), writable, context)
  } catch (error) {
    if (error instanceof RefusedError) throw error
  }
  await stored
}

/** Passes a body on as it comes, but its last chunk only after the check. */
async function pass(
  source: ReadableStream<Uint8Array>,
  target: WritableStream<Uint8Array>,
  { check, patience }: HolderContext,
): Promise<void> {
  const [reader, writer] = [source.getReader(), target.getWriter()]
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new RefusedError(408, 'the body took too long')), patience)
  })
  late.catch(() => {})
  try {
    let last: Uint8Array | null = null
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late])
      if (last !== null && done) await check()
      if (last !== null) await Promise.race([writer.write(last), late])
      if (done) break
      last = value
    }
    if (last === null) await check()
    await writer.close()
  } catch (error) {
    for (const end of [writer.abort(error), reader.cancel(error)]) end.catch(() => {})
    throw error
  }
}
