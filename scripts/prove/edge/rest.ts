/** The end of a story: all faults end, builders finish, and the answer of every address is checked. */
import { findBucket } from '../../../src/domain/objects/object-key.ts'
import type { ListedSeller } from '../../../src/domain/pages/sitemap.ts'
import { formatRoutePath } from '../../../src/domain/documents/page-address.ts'
import {
  formatBucketFile,
  formatHomeSitemap,
  formatSitemap,
  formatSitemapIndex,
} from '../../../src/domain/pages/sitemap.ts'
import { Difference } from '../difference.ts'
import { checkObjects, finishChanges } from './change-rest.ts'
import type { EdgeAnswer } from './edge.ts'
import type { Expected } from './expected-answer.ts'
import { isExpected, parseAddress, renderExpected } from './expected-answer.ts'
import type { Center } from './stories/happenings.ts'
import { CENTERS, CODES, PATHS } from './stories/happenings.ts'
import type { EdgeStage } from './players.ts'
import type { StoryValue } from './stories/source.ts'
import { STORY_NAMES } from './stories/source.ts'
import { findIntake, STORY_SITE, takeIn } from './stories/story-renderer.ts'
import { STORY_MAX_AGE } from './world.ts'

/** Max rounds of builds after all faults have ended; by then, all changes must be delivered. */
const MAX_ROUNDS = 2_000
/** How long sitemaps are cached, in milliseconds. */
const MINUTE = 60_000

export async function comeToRest(stage: EdgeStage): Promise<void> {
  const { world, players } = stage
  world.isStoreDown = false
  await finishTasks(stage)
  world.answering = [world.code]
  if (world.isQueued) {
    await players.handOver(true)
    await finishChanges(stage)
    await checkObjects(stage)
  }
  await deliver(stage)
  world.now += STORY_MAX_AGE + 1
  await checkPages(stage, 'once everything was delivered', true)
  const [first] = players.builders.values()
  if (first !== undefined) await world.traffic.proceed(players.build(first, true), null)
  await finishTasks(stage)
  world.now += MINUTE + STORY_MAX_AGE
  await checkPages(stage, 'after everything was compared', false)
  await checkSitemaps(stage)
}

async function finishTasks({ world }: EdgeStage): Promise<void> {
  await world.traffic.quiet()
  for (let next = world.traffic.waiting[0]; next !== undefined; next = world.traffic.waiting[0])
    await world.traffic.proceed(next, null)
}

async function deliver(stage: EdgeStage): Promise<void> {
  const { world, players, edge } = stage
  const builders = [...players.builders.values()]
  // If a product moved without a notice that names its new owner, only the coordinator knows of that owner's change.
  const { left } = await edge.readWaiting(world.now)
  for (const builder of builders) builder.claim(left)
  for (let round = 0; builders.some(({ isSettled }) => !isSettled); round += 1) {
    if (round === MAX_ROUNDS)
      throw new Difference('after the last round of builds, there are still changes to deliver')
    // Allows the removals that the guard has refused, as a person would.
    for (const builder of builders) builder.isShrinkAllowed = round > 0
    for (const builder of builders) await world.traffic.proceed(players.build(builder, false), null)
    await finishTasks(stage)
  }
}

/**
 * Checks the answer of every address. `isEarly`: the final comparison of all objects has not run yet, so edits without
 * a notice may be missing, and data may come from the intake of other code.
 */
async function checkPages({ world, edge }: EdgeStage, when: string, isEarly: boolean): Promise<void> {
  const { source, code } = world
  const intakes = isEarly ? CODES.map(findIntake) : [findIntake(code)]
  const check = async (path: string): Promise<void> => {
    const address = parseAddress(path)
    const { name } = address
    const values: readonly StoryValue[] =
      name === null
        ? [null]
        : isEarly
          ? source.listValues(name, source.findNoticed(name))
          : [source.read(name)]
    const made = values.flatMap((value) => intakes.map((intake) => takeIn(value, intake)))
    const expected = await Promise.all(made.map((value) => renderExpected(address, value, code)))
    for (const center of CENTERS) compare(`${path} in ${center}, ${when},`, await ask(path, center), expected)
  }
  // These visits ask the story nothing, so they can run concurrently and still give the same result each time.
  await Promise.all(PATHS.map(check))
  async function ask(path: string, center: Center): Promise<EdgeAnswer> {
    const { result, ended } = edge.run('visit', path, null, world.by(center))
    await ended
    return result
  }
}

async function checkSitemaps({ world, edge }: EdgeStage): Promise<void> {
  const listed = await Promise.all(
    STORY_NAMES.map(async (seller) => ({
      seller,
      value: world.source.read(seller),
      bucket: await findBucket(seller),
    })),
  )
  const shown = listed.flatMap(({ seller, value, bucket }) =>
    value !== null && value.catalogue.products.length > 0 ? [{ seller, updated: value.updated, bucket }] : [],
  )
  const buckets = [...new Set(shown.map(({ bucket }) => bucket))].sort((a, b) => a - b)
  const sellersOf = (bucket: number): readonly ListedSeller[] =>
    shown
      .filter((one) => one.bucket === bucket)
      .map(({ seller, updated }) => ({ seller, updated }))
      .sort((a, b) => (a.seller < b.seller ? -1 : 1))
  const pages = [
    [formatRoutePath('sitemap-index'), formatSitemapIndex(STORY_SITE.url, buckets)],
    [formatRoutePath('sitemap-home'), formatHomeSitemap(STORY_SITE.url)],
    ...buckets.map((bucket) => [
      `/${formatBucketFile(bucket)}`,
      formatSitemap(STORY_SITE.url, sellersOf(bucket)),
    ]),
  ]
  const check = async (path: string, body: string, center: Center): Promise<void> => {
    const { result, ended } = edge.run('visit', path, null, world.by(center))
    await ended
    compare(`${path} in ${center}, at the end,`, await result, [{ status: 200, body, policy: null }])
  }
  await Promise.all(
    pages.flatMap(([path = '', body = '']) => CENTERS.map((center) => check(path, body, center))),
  )
}

function compare(what: string, answer: EdgeAnswer, expected: readonly Expected[]): void {
  if (expected.some((one) => isExpected(answer, one))) return
  const wanted = expected.map(({ status, body }) => `status ${status} and the body ${body}`).join('\n  or ')
  throw new Difference(
    `${what} was answered with status ${answer.status} and the body ${answer.body}\n  instead of ${wanted}`,
  )
}
