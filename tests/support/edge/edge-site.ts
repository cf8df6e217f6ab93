/** A site of objects in this process: store, cache, assets and ledger in memory, with a clock and failures to set. */
import { createMemoryStore } from './memory-store.ts'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { createSellerData } from '../../../src/domain/objects/object-data.ts'
import { formatObjectKey } from '../../../src/domain/objects/object-key.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import type { EdgeRenderer } from '../../../src/edge/objects/edge-renderer.ts'
import type { ObjectStore, StoredObject } from '../../../src/edge/objects/object-store.ts'
import type { HostCache, PageCache } from '../../../src/edge/pages/page-cache.ts'
import { createPageCache } from '../../../src/edge/pages/page-cache.ts'
import { createTombstone, renderObject } from '../../../src/edge/objects/render-object.ts'
import type { ServeWorld } from '../../../src/edge/pages/serve-world.ts'
import { serve } from '../../../src/edge/pages/serve.ts'
import { createWorkRoom } from '../../../src/edge/pages/work-room.ts'
import { createProduct } from '../search/search-entries.ts'
import { createEdgeRenderer } from './edge-renderer.ts'

const ORIGIN = 'https://vitrina.example'

export class MemorySite {
  now = 1_000_000
  renderer: EdgeRenderer = createEdgeRenderer()
  /** Keys of the objects that were read. */
  readonly reads: string[] = []
  /** Paths that the assets were asked for. */
  readonly asked: string[] = []
  readonly lines: string[] = []
  readonly cached = new Map<string, Response>()
  /** Called before the store returns what it has read. */
  beforeAnswer: () => Promise<void> = async () => {}
  buckets: readonly number[] = []
  files: Readonly<Record<string, string>> = {}
  isStoreFailing = false
  room = createWorkRoom(() => this.now)
  readonly #caches = new Map<string, PageCache>()
  readonly #objects = new Map<string, StoredObject>()
  readonly #inner: ObjectStore = createMemoryStore(this.#objects)

  async put(name: string, data: SellerData | null, renderer = this.renderer): Promise<void> {
    const key = await formatObjectKey(name)
    const seen = await this.#inner.head(key)
    const version = Number(seen?.notes['version'] ?? 0) + 1
    const parts =
      data === null
        ? createTombstone(version)
        : await renderObject(data, { version, intake: 'intake', renderer })
    await this.#inner.put(key, parts.bytes, { seen: seen?.tag ?? null, notes: parts.notes })
  }

  async putBytes(key: string, bytes: Uint8Array): Promise<void> {
    const seen = await this.#inner.head(key)
    await this.#inner.put(key, bytes, { seen: seen?.tag ?? null, notes: {} })
  }

  /** `status` and text of the answer. */
  async read(path: string, init: RequestInit = {}): Promise<readonly [status: number, text: string]> {
    const response = await this.ask(path, init)
    return [response.status, await response.text()]
  }

  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const later: Promise<void>[] = []
    const response = await serve(new Request(ORIGIN + path, init), this.createWorld(later))
    await Promise.all(later)
    return response
  }

  /** One for each code, as an isolate has one. */
  openCache(): PageCache {
    const { code } = this.renderer
    const log = (line: string): void => void this.lines.push(line)
    const cache = this.#caches.get(code) ?? createPageCache(this.cache, { origin: ORIGIN, code, log })
    this.#caches.set(code, cache)
    return cache
  }

  createWorld(later: Promise<void>[]): ServeWorld {
    const log = (line: string): void => void this.lines.push(line)
    return {
      store: {
        get: (key, count) => this.#read(key, () => this.#inner.get(key, count)),
        head: (key) => this.#read(key, () => this.#inner.head(key)),
      },
      cache: this.openCache(),
      assets: { fetch: async (request) => this.#answerAsset(request) },
      openLedger: () => ({
        readBuckets: async () => this.buckets,
        readListed: async (bucket) =>
          this.buckets.includes(bucket) ? [{ seller: `s${bucket}`, updated: '' }] : [],
        readSiteState: () => Promise.reject(new Error('the coordinator failed')),
      }),
      renderer: this.renderer,
      room: this.room,
      maxAge: 5_000,
      now: () => this.now,
      later: (work) => void later.push(work),
      wait: () => new Promise(() => {}),
      log,
    }
  }

  readonly cache: HostCache = {
    match: async (key) => this.cached.get(String(key))?.clone(),
    put: async (key, response) => void this.cached.set(String(key), response),
    delete: async (key) => this.cached.delete(String(key)),
  }

  async #read<Found>(key: string, read: () => Promise<Found>): Promise<Found> {
    this.reads.push(key)
    if (this.isStoreFailing) throw new Error('the store failed')
    const found = await read()
    await this.beforeAnswer()
    return found
  }

  #answerAsset(request: Request): Response {
    const { pathname } = new URL(request.url)
    this.asked.push(pathname)
    const file = this.files[pathname]
    return new Response(file ?? 'screen 404', { status: file === undefined ? 404 : 200 })
  }
}

export function createSellerOf(name: string, ...ids: readonly string[]): SellerData {
  const products = ids.map((id) => createProduct(id, `${name} ${id}`, { price: 100 }))
  const catalogue = { ...createCatalogue('ana', null, products), name }
  return createSellerData(catalogue, { pictures: NO_PICTURES, previews: {}, hasProfile: true, updated: '' })
}
