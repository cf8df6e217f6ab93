/** The services and the renderer that serving uses. Serving never writes to the store. */
import type { ObjectLedger } from '../coordinator/object-ledger.ts'
import type { EdgeRenderer } from '../objects/edge-renderer.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { CacheWorld } from './serve-cached.ts'
import type { WorkRoom } from './work-room.ts'

export interface ServeWorld extends CacheWorld {
  readonly store: Pick<ObjectStore, 'get' | 'head'>
  /** The static files of the deployment, including its pages for unknown addresses. */
  readonly assets: { fetch(request: Request): Promise<Response> }
  readonly openLedger: () => Pick<ObjectLedger, 'readListed' | 'readBuckets' | 'readSiteState'>
  readonly renderer: EdgeRenderer
  /** Shared by all requests of this isolate. */
  readonly room: WorkRoom
  /** How long most pages are fresh, in ms. */
  readonly maxAge: number
}
