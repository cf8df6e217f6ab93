/**
 * Builds the pending sellers. After a published build that read everything, such as the nightly one, makes missing
 * pictures and revalidates known photos. The pictures are processed in parts, with a build after each part, so that new
 * changes do not wait for them.
 */
import { isLargeShare } from '../../../domain/work/large-share.ts'
import { readCatalogues } from '../../rebuild/due-pictures.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import type { World } from '../../rebuild/world.ts'
import { BusyError } from '../../state/locks.ts'
import type { PendingBuild } from './build-pending.ts'
import { buildPending } from './build-pending.ts'

/** In milliseconds. */
interface PhotoTimes {
  /**
   * Time after which no further part begins, with the builds between the parts included. Remaining pictures are made in
   * the next night.
   */
  readonly total: number
  /** Max time of one part, and so the max time by which pictures delay the build of a new change. */
  readonly part: number
}

const MINUTE = 60_000
/** The workflow may take an hour. About a third of that hour is for pictures, the rest for everything else. */
const TIMES: PhotoTimes = { total: 20 * MINUTE, part: MINUTE }

interface PhotoBuild extends PendingBuild {
  /** After it aborts, no further part and no further build begins. */
  readonly ending?: AbortSignal
}

/** Returns the outcome of the first build. */
export async function buildWithPhotos(build: PhotoBuild, times = TIMES): Promise<RebuildOutcome> {
  let isWhole = false
  const outcome = await buildPending({
    ...build,
    tell: (step) => {
      if (step.kind === 'claimed') isWhole = step.named === 'all'
      build.tell(step)
    },
  })
  if (isWhole && build.publish !== null) await workOff(build, times)
  return outcome
}

async function workOff(build: PhotoBuild, { total, part }: PhotoTimes): Promise<void> {
  const { world } = build
  const inputs = world.readInputs()
  const read = (sellers: Iterable<string> = world.state.readSellers()) =>
    readCatalogues(world.state, inputs, sellers)
  const end = performance.now() + total
  const isEnding = (): boolean => build.ending?.aborted === true
  for (let round = 1; performance.now() < end && !isEnding(); round += 1) {
    world.progress('Making pictures')
    const limits = { time: part, accepts: round === 1 ? acceptFewer(world) : null }
    const { processed, waiting, isDone } = await world.pictures.workOff(read, limits)
    if (processed === 0 || isEnding()) return
    if (!(await buildAgain({ ...build, photos: waiting })) || isDone) return
  }
}

/** Returns `false` if another builder is at work. A later build then shows the new pictures. */
async function buildAgain(build: PendingBuild): Promise<boolean> {
  try {
    await buildPending(build)
    return true
  } catch (error) {
    if (error instanceof BusyError) return false
    throw error
  }
}

function acceptFewer({ options }: World): (gone: number, before: number) => boolean {
  return (gone, before) => options.isShrinkAllowed || !isLargeShare(gone, before)
}
