/**
 * Makes the pictures that a rebuild had no time for, after a deploy that read everything, such as the nightly one: in
 * parts with a deploy after each, so that new changes do not wait for them.
 */
import { makeLeftPictures } from '../rebuild/due-pictures.ts'
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
  let isDone = false
  while (!isDone && performance.now() < end) {
    const { changed, left } = await use(makePart)
    if (changed > 0) await deploy()
    isDone = left === 0
  }
  return deployed
}

function makePart(world: World): ReturnType<typeof makeLeftPictures> {
  world.progress('Making pictures')
  return makeLeftPictures(world, {
    scope: 'due',
    time: TIMES.part,
    signal: new AbortController().signal,
    progress: () => {},
  })
}
