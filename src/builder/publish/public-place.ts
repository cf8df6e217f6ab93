/** Where the site is published: one interface, and its place among the static assets of the Worker. */
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import { lookAgain } from '../../domain/work/try-again.ts'
import type { RebuildOutcome } from '../rebuild/rebuild.ts'
import type { Lease } from './lease.ts'
import { PublishError, readSentence } from './publish-error.ts'
import type { Wrangler } from './wrangler.ts'
import { WranglerError } from './wrangler.ts'

/** A site that may be published. */
export interface BuiltSite {
  readonly outcome: RebuildOutcome
  readonly marker: SiteMarker
  readonly lease: Pick<Lease, 'token' | 'live' | 'permit'>
}

export interface PublicPlace {
  /** True if all files go live at once. */
  readonly isAtomic: boolean
  /** Asks the lease right before anything goes live. Returns one line that says what was done. */
  publish(site: BuiltSite): Promise<string>
  /** Returns the marker of the live site; `null` if there is none. */
  readLive(): Promise<SiteMarker | null>
}

/** In milliseconds. A first upload of very many files takes long; a switch must end long before the lease. */
const TIMES = { upload: 30 * 60_000, switch: 20_000 }

/** Pauses between looks after a switch that failed, in milliseconds: it may have been carried out. */
const PAUSES: readonly number[] = [500, 1_000, 2_000, 4_000]

interface AssetsOptions {
  readonly wrangler: Wrangler
  /** The output folder. */
  readonly folder: string
  readonly readLive: PublicPlace['readLive']
  readonly progress: (text: string) => void
}

/** Nobody sees an uploaded version before the switch, which is atomic for every visitor. */
export function createAssetsPlace({ wrangler, folder, readLive, progress }: AssetsOptions): PublicPlace {
  return {
    isAtomic: true,
    readLive,
    publish: async ({ marker: { run }, lease }) => {
      progress('Uploading')
      const said = await upload(run)
      const version = parseVersion(said)
      await lease.permit(run)
      progress('Putting the version live')
      await putLive(version, run)
      const count = /Found ([\d,]+) new or modified/.exec(said)?.[1]
      return `version ${version}${count === undefined ? '' : `, ${count} files uploaded`}`
    },
  }

  async function upload(run: string): Promise<string> {
    try {
      const args = ['versions', 'upload', '--assets', folder, '--message', `run ${run}`]
      return await wrangler.run(args, TIMES.upload)
    } catch (cause) {
      throw new PublishError(
        `The upload failed, and the live site is as it was: ${readSentence(cause)} For the first publish, and after a change of migrations, run npm run deploy -- --setup.`,
        { cause },
      )
    }
  }

  async function putLive(version: string, run: string): Promise<void> {
    try {
      await wrangler.run(['versions', 'deploy', `${version}@100`, '-y'], TIMES.switch)
    } catch (error) {
      const look = async (): Promise<boolean> => (await readLive().catch(() => null))?.run === run
      if (await lookAgain(look, { isDone: (isLive) => isLive, pauses: PAUSES })) return
      throw new PublishError(
        `Version ${version} is not live: ${readSentence(error)} Run npm run deploy again.`,
        { cause: error },
      )
    }
  }
}

function parseVersion(said: string): string {
  const version = /Worker Version ID: *([\w-]+)/.exec(said)?.[1]
  if (version !== undefined) return version
  throw new WranglerError(
    'wrangler did not print the id of the new version: npx wrangler versions list lists all versions.',
  )
}
