/** Serves files whose names contain a hash of their content: pictures, and the hashed files of earlier deployments. */
import { isStoredFile } from '../../domain/objects/stored-file.ts'
import { PHOTO_FOLDER, SOCIAL_FOLDER } from '../../domain/photos/picture.ts'
import type { Content } from './content.ts'
import { LONGEST_AGE } from './page-cache.ts'
import { readCached } from './serve-cached.ts'
import type { ServeWorld } from './serve-world.ts'

type FileRoute = {
  /** The file's key in the store. */
  readonly path: string
  readonly type: string
  readonly cacheControl: string
  /** Whether the deployment may contain the file, too. */
  readonly isAsset: boolean
}

/** Folder of the compiled files whose names contain a hash of their content. */
const HASHED_FOLDER = '_astro/'

// Same values as in the rules of the assets; see `edge-headers.ts`.
const PICTURES = 'public, max-age=86400, stale-while-revalidate=31536000'
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Content types by file extension, as the assets send them. */
const TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  css: 'text/css; charset=utf-8',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  woff2: 'font/woff2',
}

const NAME = /^\/(.+\.([a-z\d]+))$/

/** Returns `null` for a path that no stored file can have. */
export function routeFile(pathname: string): FileRoute | null {
  const [, path = '', end = ''] = NAME.exec(pathname) ?? []
  const type = TYPES[end]
  if (type === undefined || !isStoredFile(path)) return null
  const isAsset = path.startsWith(HASHED_FOLDER)
  return { path, type, isAsset, cacheControl: isAsset ? IMMUTABLE : PICTURES }
}

/** Returns whether the path is in a folder of files whose names contain a hash. */
export function isFilePath(pathname: string): boolean {
  return [PHOTO_FOLDER, SOCIAL_FOLDER, HASHED_FOLDER].some((folder) => pathname.startsWith(`/${folder}`))
}

/** Returns `null` if the store fails and the cache has nothing. */
export function readFile(
  { path, type, cacheControl }: FileRoute,
  world: ServeWorld,
): Promise<Content | null> {
  return readCached(
    {
      address: `/${path}`,
      findMaxAge: ({ kind }) => (kind === 'body' ? LONGEST_AGE * 1_000 : world.maxAge),
      load: async () => {
        const found = await world.store.get(path)
        if (found === null) return { kind: 'none' }
        const { bytes: body, tag: etag } = found
        return { kind: 'body', status: 200, body, etag, type, cacheControl, policy: world.renderer.policy }
      },
    },
    world,
  )
}
