/** Opens one of the two sites of a story: its source, its pages, and a search index that each publish feeds. */
import { CallError } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { feedIndex } from '../../../src/builder/publish/search/feed-index.ts'
import type { SearchClient } from '../../../src/builder/publish/search/search-client.ts'
import type { Renderer } from '../../../src/builder/renderer/load-renderer.ts'
import type { Documents, SourceKind } from '../site/documents.ts'
import type { SitePlace } from '../site/place.ts'
import { createPlace, emptyFolder } from '../site/place.ts'
import type { StoryInputs } from '../site/run-request.ts'
import type { RunResult } from '../site/run-in-process.ts'
import { runInProcess } from '../site/run-in-process.ts'
import type { WriteStyle } from '../equivalence/sequence.ts'
import { StorySite } from '../search/story-site.ts'
import { createSource, updateSource } from '../site/write-source.ts'
import type { AttackedState } from './open-state.ts'
import { withState } from './open-state.ts'

export interface ProvenSite {
  readonly place: SitePlace
  readonly index: StorySite['index']
  publish(publish: SellerPublish): Promise<PublishedFiles>
}

export interface SellerPublish {
  readonly documents: Documents
  readonly style: WriteStyle
  /** Command-line options of the rebuild. */
  readonly args: readonly string[]
  readonly wrap?: (renderer: Renderer) => Renderer
  /** Whether the index answers a call that contains this seller with an error. */
  readonly isRefused?: (seller: string) => boolean
}

export interface PublishedFiles {
  readonly result: RunResult
  /** The entries that were sent to the index, by seller, as JSON. */
  readonly sent: ReadonlyMap<string, string>
}

export function openFedSite(folder: string, kind: SourceKind, inputs: StoryInputs): ProvenSite {
  const place = createPlace(emptyFolder(folder), kind)
  const site = new StorySite(null)
  let written: Documents | null = null
  return {
    place,
    index: site.index,
    publish: async ({ documents, style, args, wrap, isRefused = () => false }) => {
      if (written === null) await createSource(place.source, kind, documents)
      else updateSource(place.source, kind, { before: written, after: documents, style, isDurable: false })
      written = documents
      const result = await runInProcess({ place, inputs, args, threads: 0, ...(wrap && { wrap }) })
      return { result, sent: await feed({ place, inputs }, openClient(site, isRefused)) }
    },
  }
}

type RecordingClient = SearchClient & { readonly sent: ReadonlyMap<string, string> }

function openClient(site: StorySite, isRefused: (seller: string) => boolean): RecordingClient {
  const client = site.openClient(null, async () => {})
  const sent = new Map<string, string>()
  return {
    ...client,
    sent,
    update: async (call) => {
      if (call.sellers.some(({ seller }) => isRefused(seller)))
        throw new CallError('/search/update was answered with status 500', 500)
      for (const { seller, entry } of call.sellers) sent.set(seller, JSON.stringify(entry))
      return client.update(call)
    },
  }
}

async function feed(built: AttackedState, client: RecordingClient): Promise<PublishedFiles['sent']> {
  const site = built.inputs.settings.SITE_URL
  await withState(built, async ({ snapshot, read }) => {
    // The index is fed only with data that a live publish shows, so the run is recorded as published first.
    snapshot.writePublished({ id: 'live', run: snapshot.waits.readRun() })
    await feedIndex({ snapshot, read, client, site, isLive: async () => true, progress: () => {} }, false)
  })
  return client.sent
}
