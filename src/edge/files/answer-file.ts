/** Answers requests for files of a bucket exactly as Cloudflare's static assets answer them. */
import { readMessage } from '../../domain/documents/errors.ts'
import type { Bucket, FileReads } from './bucket.ts'
import { openFileReads } from './bucket.ts'
import type { Intent } from './find-intent.ts'
import { decodePath, encodePath, findIntent, guessFile } from './find-intent.ts'
import type { SiteRules } from './site-rules.ts'
import { applyHeaderRules, findRedirection, parseHeaderRules, parseRedirectRules } from './site-rules.ts'

interface FileServerOptions {
  /** Returns milliseconds. */
  readonly now: () => number
  readonly log: (line: string) => void
}

/** How long an isolate remembers the rules of the site, in ms. */
const REMEMBERED = 5_000
/** Time after which another request reads the rules, because the one that reads may have been cancelled, in ms. */
const READING = 1_000

/** Types of files and their extensions: of those that the site has, and of others that a public folder may have. */
const TYPES: readonly (readonly [type: string, extensions: string])[] = [
  ['image/avif', 'avif'],
  ['text/css; charset=utf-8', 'css'],
  ['text/csv; charset=utf-8', 'csv'],
  ['image/gif', 'gif'],
  ['text/html; charset=utf-8', 'htm html'],
  ['image/vnd.microsoft.icon', 'ico'],
  ['image/jpeg', 'jpeg jpg'],
  ['text/javascript; charset=utf-8', 'js mjs'],
  ['application/json', 'json map'],
  ['text/markdown; charset=utf-8', 'md'],
  ['audio/mpeg', 'mp3'],
  ['video/mp4', 'mp4'],
  ['font/otf', 'otf'],
  ['application/pdf', 'pdf'],
  ['image/png', 'png'],
  ['image/svg+xml', 'svg'],
  ['font/ttf', 'ttf'],
  ['text/plain; charset=utf-8', 'txt'],
  ['application/manifest+json', 'webmanifest'],
  ['image/webp', 'webp'],
  ['font/woff', 'woff'],
  ['font/woff2', 'woff2'],
  ['application/xml', 'xml'],
  ['application/zip', 'zip'],
]

type AnswerFile = (request: Request, bucket: Bucket) => Promise<Response>

/** Requests of an isolate share the function. It never rejects. */
export function createFileServer({ now, log }: FileServerOptions): AnswerFile {
  let known: { readonly rules: SiteRules; readonly until: number } | null = null
  const readRules = async (bucket: Bucket): Promise<SiteRules> => {
    if (known !== null && now() < known.until) return known.rules
    // Meanwhile, other requests use the rules of before.
    if (known !== null) known = { ...known, until: now() + READING }
    const files = await Promise.all(['_headers', '_redirects'].map((key) => bucket.get(key)))
    const [headers = '', redirects = ''] = await Promise.all(files.map((file) => file?.text() ?? ''))
    const rules = { headers: parseHeaderRules(headers), redirects: parseRedirectRules(redirects) }
    known = { rules, until: now() + REMEMBERED }
    return rules
  }
  return async (request, bucket) => {
    const { pathname } = new URL(request.url)
    try {
      const rules = await readRules(bucket)
      const response = await answer(request, bucket, rules)
      applyHeaderRules(rules.headers, pathname, response.headers)
      return response
    } catch (error) {
      log(`files: ${readMessage(error)}`)
      return new Response(null, { status: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } })
    }
  }
}

async function answer(request: Request, bucket: Bucket, rules: SiteRules): Promise<Response> {
  const url = new URL(request.url)
  const rule = findRedirection(rules.redirects, url.pathname)
  if (rule !== null && rule.status !== 200) return redirect(formatLocation(rule.to, url), rule.status)
  const pathname = rule === null ? url.pathname : new URL(rule.to, url).pathname
  const path = decodePath(pathname)
  const reads = openFileReads(bucket, guessFile(path))
  try {
    const intent = await findIntent(path, reads)
    if (intent === null) return new Response(null, { status: 404 })
    if (!['GET', 'HEAD'].includes(request.method)) return new Response(null, { status: 405 })
    const address = encodePath(intent.kind === 'redirect' ? intent.to : path)
    if (intent.kind === 'redirect' || address !== pathname) return redirect(address + url.search, 307)
    return await answerBody(request, reads, intent)
  } finally {
    await reads.close()
  }
}

async function answerBody(
  { method, headers: asked }: Request,
  reads: FileReads,
  { file, status }: Extract<Intent, { kind: 'file' }>,
): Promise<Response> {
  // The file may have been replaced since it was found.
  const body = method === 'HEAD' ? null : await reads.open(file)
  const etag = `"${body?.etag ?? file.etag}"`
  const headers = new Headers({ etag })
  const type = findContentType(file.key)
  if (type !== null) headers.set('content-type', type)
  if (!asked.has('authorization') && !asked.has('range'))
    headers.set('cache-control', 'public, max-age=0, must-revalidate')
  if (![etag, `W/${etag}`].includes(asked.get('if-none-match') ?? ''))
    return new Response(body?.body ?? null, { status, headers })
  await body?.body.cancel()
  return new Response(null, { status: 304, headers })
}

/** Returns `null` for a file without a known extension. */
function findContentType(key: string): string | null {
  const [, extension = '-'] = /[^/]\.(\w+)$/.exec(key.toLowerCase()) ?? []
  return TYPES.find(([, extensions]) => extensions.split(' ').includes(extension))?.[0] ?? null
}

function redirect(location: string, status: number): Response {
  return new Response(null, { status, headers: { location } })
}

/** The query of a request is kept, unless the rule has one. */
function formatLocation(to: string, url: URL): string {
  const { origin, pathname, search, hash } = new URL(to, url)
  return `${origin === url.origin ? '' : origin}${pathname}${search || url.search}${hash}`
}
