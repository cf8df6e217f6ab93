/** The public place in a bucket: the Worker if its code differs, then the files, through the Worker and under a lease. */
import { setTimeout as wait } from 'node:timers/promises'
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import { formatMarker } from '../../domain/wire/site-marker.ts'
import { formatCount } from '../format-numbers.ts'
import { formatHeaders, HEADERS, parseInlineHashes } from '../rebuild/static/edge-headers.ts'
import type { World } from '../rebuild/world.ts'
import { createBucketClient } from './bucket-client.ts'
import { publishToBucket } from './bucket.ts'
import type { PublicPlace } from './public-place.ts'
import { PublishError } from './publish-error.ts'

interface BucketPlaceOptions {
  readonly deployWorker: () => Promise<void>
  /** Origin of the site's Worker. */
  readonly origin: string
  readonly world: Pick<World, 'output' | 'renderers' | 'progress'>
  readonly readLive: PublicPlace['readLive']
}

/** Min time of the lease before a file is put, in milliseconds: the Worker ends a body after 20 s. */
const LEAST = 60_000

export function createBucketPlace({
  deployWorker,
  origin,
  world,
  readLive,
}: BucketPlaceOptions): PublicPlace {
  const { output, renderers, progress } = world
  return {
    isAtomic: false,
    readLive,
    publish: async ({ outcome, marker, lease }) => {
      const { run } = marker
      let isPermitted = false
      const permit = async (): Promise<void> => {
        await lease.permit(run, isPermitted ? LEAST : Infinity)
        isPermitted = true
      }
      // The Worker's code is part of the basis, and another builder may have deployed another Worker with its site.
      if (outcome.everything !== null) {
        await permit()
        await deployWorker()
      }
      if (lease.token === null)
        throw new PublishError(
          'Only the Worker was deployed, because the files of a bucket go through its coordinator: run npm run deploy, ' +
            'once the Worker has its secret (npx wrangler secret put REBUILD_SECRET).',
        )
      const client = createBucketClient({ origin, token: lease.token, permit, wait })
      const { put, removed } = await publishToBucket({
        output,
        client,
        due: outcome.everything === null ? outcome.lookedAt : 'everything',
        failing: new Set(outcome.failed.map(({ seller }) => seller)),
        keptAssets: [...renderers.listKeptAssets()],
        markers: { open: formatMarker({ ...marker, state: 'open' }), closed: formatMarker(marker) },
        formatHeaders: createHeaders(world, marker),
        wait,
        progress,
      })
      return `${formatCount(put, 'file')} put into the bucket, ${removed} removed`
    },
  }
}

/** Returns a function that formats `_headers` with the inline code of the live pages beside that of the new ones. */
function createHeaders(
  { renderers, output }: BucketPlaceOptions['world'],
  { renderer }: SiteMarker,
): (policy: string) => string {
  const kept = renderers.find(renderer)
  if (kept === null) return () => new TextDecoder().decode(output.read(HEADERS) ?? undefined)
  return (policy) => formatHeaders(Object.keys(kept.assets), kept.inline, [parseInlineHashes(policy)])
}
