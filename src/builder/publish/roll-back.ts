/** Puts an earlier version live again: holds, waits until no builder may publish any more, rolls back, and looks. */
import { setTimeout as wait } from 'node:timers/promises'
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import { lookAgain } from '../../domain/work/try-again.ts'
import type { CoordinatorClient } from './coordinator/coordinator-client.ts'
import { CallError } from './coordinator/coordinator-client.ts'
import { readLiveMarker } from './live-site.ts'
import { readSentence } from './publish-error.ts'
import type { Wrangler } from './wrangler.ts'

interface RollBack {
  /** `null` if no coordinator is asked. */
  readonly client: Pick<CoordinatorClient, 'hold'> | null
  readonly wrangler: Pick<Wrangler, 'ask'>
  /** Origin of the site. */
  readonly url: string
  /** Id of the version to put live; `null` for the one before. */
  readonly version: string | null
  readonly progress: (text: string) => void
}

interface RolledBack {
  /** `null` if the site shows no marker. */
  readonly live: SiteMarker | null
  /** Why publishing could not be held; `null` if it is held. */
  readonly problem: string | null
}

/** Pauses between looks, in milliseconds: the earlier version is not everywhere at once. */
const PAUSES: readonly number[] = [250, 500, 1_000, 2_000, 4_000]

/** Works without the coordinator too, because a broken site is urgent. */
export async function rollBack(options: RollBack): Promise<RolledBack> {
  const { wrangler, url, version, progress } = options
  const problem = await hold(options)
  progress('Rolling back')
  const look = (): Promise<SiteMarker | null> => readLiveMarker(url).catch(() => null)
  const before = await look()
  await wrangler.ask(['rollback', ...(version === null ? [] : [version])])
  const isOther = (live: SiteMarker | null): boolean => live !== null && live.run !== before?.run
  return { live: await lookAgain(look, { isDone: isOther, pauses: PAUSES }), problem }
}

async function hold({ client, progress }: RollBack): Promise<string | null> {
  if (client === null) return 'no coordinator was asked'
  try {
    progress('Holding publishing')
    const until = await client.hold('rolled back')
    const left = until === null ? 0 : Date.parse(until) - Date.now()
    if (left > 0) progress(`Waiting until ${until} for a builder that may still publish`)
    await wait(Math.max(0, left))
    return null
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return readSentence(error)
  }
}
