/** The Worker of a site of objects, with calls that read and write its store: `/api/rebuild/test/<operation>`. */
import type { Namespace, R2Bucket } from 'cloudflare:workers'
import * as compiled from 'vitrina:compiled'
import worker from '../../functions/objects-worker.ts'
import type { ObjectData, ObjectName } from '../../src/domain/objects/object-data.ts'
import { formatObjectKey } from '../../src/domain/objects/object-key.ts'
import { openRenderer } from '../../src/edge/pages/compiled-renderer.ts'
import { createR2Store } from '../../src/edge/pages/r2-store.ts'
import { renderObject } from '../../src/edge/pages/render-object.ts'

export { RebuildCoordinator } from '../../functions/objects-worker.ts'

const PREFIX = '/api/rebuild/test/'

type Environment = Parameters<typeof worker.fetch>[1] & {
  readonly PAGES: R2Bucket
  readonly COORDINATOR: Namespace<never>
}

export interface TestCall {
  readonly key: string
  readonly seen?: string | null
  readonly after?: string | null
  readonly notes?: Record<string, string>
  /** Base64. */
  readonly bytes?: string
}

export default {
  ...worker,
  async fetch(request: Request, environment: Environment, context: Parameters<typeof worker.fetch>[2]) {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith(PREFIX)) return worker.fetch(request, environment, context)
    const body = await request.json()
    if (pathname === `${PREFIX}render`) {
      const objects = body as readonly { name: ObjectName; data: ObjectData }[]
      for (const object of objects) await render(object, environment)
      return Response.json(objects.length)
    }
    return Response.json(await call(pathname.slice(PREFIX.length), body as TestCall, environment))
  },
}

async function render({ name, data }: { name: ObjectName; data: ObjectData }, { PAGES }: Environment) {
  const store = createR2Store(PAGES)
  const key = await formatObjectKey(name)
  const { bytes, notes } = await renderObject(data, {
    version: 1,
    intake: 'intake',
    renderer: openRenderer(compiled),
  })
  await store.put(key, bytes, { seen: (await store.head(key))?.tag ?? null, notes })
}

async function call(
  operation: string,
  { key, bytes = '', notes = {}, ...rest }: TestCall,
  { PAGES }: Environment,
) {
  const store = createR2Store(PAGES)
  if (operation === 'head') return store.head(key)
  if (operation === 'list') return store.list(key, rest.after ?? null)
  if (operation === 'get') {
    const found = await store.get(key)
    return found === null ? null : { ...found, bytes: btoa(String.fromCharCode(...found.bytes)) }
  }
  const content = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0))
  return store.put(key, content, { seen: rest.seen ?? null, notes })
}
