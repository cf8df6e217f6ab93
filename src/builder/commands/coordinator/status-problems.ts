/** Finds the problems of a status that need a person, worst first. */
import type { CallAnswer } from '../../../domain/wire/calls.ts'

type Status = CallAnswer<'status'>

const MINUTE = 60_000

/** Max age of a change that is not live, in milliseconds: longer than a build with a few retries. */
const MAX_AGE = 30 * MINUTE

/** Number of tries after which a failure counts as a problem. */
const MANY = 3

export function findStatusProblems(status: Status): readonly string[] {
  const { now, held, oldest, tries, failures, error, failing, problems, live, reported, lease } = status
  const age = oldest === null ? 0 : Date.parse(now) - Date.parse(oldest)
  const isStrange = live !== null && reported !== null && live.run !== reported && lease === null
  return [
    ...(held === null ? [] : [`publishing is held (${held}): npm run deploy -- --release`]),
    ...(reported === null && lease === null ? ['nothing has been published yet: npm run deploy'] : []),
    ...(error !== null && failures >= MANY ? [`${failures} builds in a row failed: ${error}`] : []),
    ...(error !== null && tries >= MANY ? [`no builder came in ${tries} tries: ${error}`] : []),
    ...(age > MAX_AGE ? [`a change has waited for ${Math.round(age / MINUTE)} minutes`] : []),
    ...(isStrange && held === null ? ['the live site is not the one that was published last'] : []),
    ...problems,
    ...failing
      .filter((one) => one.tries >= MANY)
      .map((one) => `seller ${one.seller} failed ${one.tries} times: ${one.reason}`),
  ]
}
