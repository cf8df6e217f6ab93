/** The Worker of a site of objects, with calls that read and write its store: `/api/rebuild/test/<operation>`. */
import type { Context, WorkerEnvironment } from '../../../../functions/worker.ts'
import worker from '../../../../functions/worker.ts'
import { createR2Store } from '../../../../src/edge/objects/r2-store.ts'

type ObjectsEnvironment = WorkerEnvironment & Required<Pick<WorkerEnvironment, 'PAGES'>>

export { SiteCoordinator, SearchShard } from '../../../../functions/worker.ts'

const PREFIX = '/api/rebuild/test/'

export interface TestCall {
  readonly key: string
  readonly seen?: string | null
  readonly after?: string | null
  /** Number of the first bytes to read; default all. */
  readonly count?: number
  readonly notes?: Record<string, string>
  /** Base64. */
  readonly bytes?: string
}

export default {
  ...worker,
  async fetch(request: Request, environment: ObjectsEnvironment, context: Context) {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith(PREFIX)) return worker.fetch(request, environment, context)
    const body: TestCall = await request.json()
    return Response.json(await call(pathname.slice(PREFIX.length), body, environment))
  },
}

async function call(
  operation: string,
  { key, bytes = '', notes = {}, ...rest }: TestCall,
  { PAGES }: ObjectsEnvironment,
) {
  const store = createR2Store(PAGES)
  if (operation === 'head') return store.head(key)
  if (operation === 'list') return store.list(key, rest.after ?? null)
  if (operation === 'get') {
    const { count } = rest
    const found = await store.get(key, count === undefined ? undefined : () => count)
    return found === null ? null : { ...found, bytes: encode(found.bytes) }
  }
  const content = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0))
  return store.put(key, content, { seen: rest.seen ?? null, notes })
}

function encode(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
