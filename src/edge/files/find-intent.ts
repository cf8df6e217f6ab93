/**
 * Decides which file a path gets, or where it redirects to, by the rules of Cloudflare's static assets with
 * `"html_handling": "drop-trailing-slash"` and `"not_found_handling": "404-page"`. Paths are decoded. Source:
 * https://github.com/cloudflare/workers-sdk/tree/main/packages/workers-shared/asset-worker
 */
import type { FileReads, BucketFile } from './bucket.ts'

export type Intent =
  | { readonly kind: 'file'; readonly file: BucketFile; readonly status: 200 | 404 }
  | { readonly kind: 'redirect'; readonly to: string }

type Files = Pick<FileReads, 'find'>

/** Returns `null` if there is neither a file nor a page that says so. */
export async function findIntent(path: string, files: Files): Promise<Intent | null> {
  if (path === '/') return findFile('/index.html', files)
  for (const { file, to } of await listShorter(path, files)) {
    if (await leadsTo(to, file, files)) return { kind: 'redirect', to }
  }
  return findFile(path, files)
}

interface Shorter {
  readonly file: string
  /** The address of the file. */
  readonly to: string
}

/** Returns addresses that are preferred to `path` if they have the file. */
async function listShorter(path: string, { find }: Files): Promise<readonly Shorter[]> {
  const [, base = '', end = ''] = /^(.*?)(\/index|\/index\.html|\/|\.html)$/.exec(path) ?? []
  if (end === '') return []
  const isThere = (await find(path)) !== null
  const page = { file: `${base}.html`, to: base }
  const index = { file: `${base}/index.html`, to: base }
  if (end === '/index' && isThere) return []
  if (end.startsWith('/index') && base === '') return [{ file: '/index.html', to: '/' }]
  if (end === '/index.html') return [isThere ? index : page]
  return [page, index]
}

/** Returns whether an address that is not a file itself gets this file. */
async function leadsTo(to: string, file: string, files: Files): Promise<boolean> {
  const wanted = await files.find(file)
  if (wanted === null || (await files.find(to)) !== null) return false
  const found = await findFile(to === '/' ? '/index.html' : to, files)
  return found?.kind === 'file' && found.file.etag === wanted.etag
}

async function findFile(path: string, { find }: Files): Promise<Intent | null> {
  for (const name of [path, `${path}.html`, `${path}/index.html`]) {
    const file = await find(name)
    if (file !== null) return { kind: 'file', file, status: 200 }
  }
  return findNearestPage(path, { find })
}

/** No folder of a site is as deep. Without a limit, a request with a long path would read the bucket 300 times. */
const DEEPEST = 8

/** Returns the 404 page of the folder, or of a folder around it. */
async function findNearestPage(path: string, { find }: Files): Promise<Intent | null> {
  for (let folder = path.split('/', DEEPEST + 2).join('/'); folder !== '';) {
    folder = folder.slice(0, folder.lastIndexOf('/'))
    const file = await find(`${folder}/404.html`)
    if (file !== null) return { kind: 'file', file, status: 404 }
  }
  return null
}

/** Returns the path whose file a request for `path` probably gets. */
export function guessFile(path: string): string {
  if (path === '/') return '/index.html'
  return /\.\w+$/.test(path) ? path : `${path}.html`
}

/** Decodes each part of the path of an address. Parts that are not encoded correctly stay as they are. */
export function decodePath(path: string): string {
  return path.split('/').map(decodePart).join('/').replace(/\/+/g, '/')
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
