/**
 * Makes the pictures that a rebuild had no time for, after a deploy that read everything, such as the nightly one: in
 * parts with a deploy after each, so that new changes do not wait for them.
 */
import { isLargeShare } from '../../domain/work/large-share.ts'
import { readCatalogues } from '../rebuild/due-pictures.ts'
import type { World } from '../rebuild/world.ts'
import type { DeployedSite } from './deploy-site.ts'

interface PictureWork {
  readonly use: <Result>(work: (world: World) => Promise<Result>) => Promise<Result>
  readonly deploy: () => Promise<DeployedSite>
}

/** Max times of all pictures and of one part, in milliseconds. The workflow may take an hour. */
const TIMES = { total: 20 * 60_000, part: 60_000 }

/** Returns the outcome of the first deploy. */
export async function deployWithPictures({ use, deploy }: PictureWork): Promise<DeployedSite> {
  const deployed = await deploy()
  if (deployed.waiting === null || deployed.named !== 'all') return deployed
  const end = performance.now() + TIMES.total
  for (let isFirst = true; performance.now() < end; isFirst = false) {
    const { processed, isDone } = await use((world) => makePictures(world, isFirst))
    if (processed > 0) await deploy()
    if (processed === 0 || isDone) break
  }
  return deployed
}

/** `cleans`: whether pictures that nobody shows are deleted, unless they are many. */
function makePictures(
  { state, pictures, options, progress, readInputs }: World,
  cleans: boolean,
): ReturnType<World['pictures']['workOff']> {
  const inputs = readInputs()
  progress('Making pictures')
  const read = (sellers: Iterable<string> = state.readSellers()) => readCatalogues(state, inputs, sellers)
  const accepts = (gone: number, before: number): boolean =>
    options.isShrinkAllowed || !isLargeShare(gone, before)
  return pictures.workOff(read, { time: TIMES.part, accepts: cleans ? accepts : null })
}
