/** Finds the problems in a status that need the maintainer's attention. */
import type { Status } from './coordinator-status.ts'

/** Max age of a pending change, in milliseconds: longer than a build with a few retries. */
const MAX_AGE = 30 * 60_000

/** Number of tries after which a failure counts as a problem. */
const MANY = 3

export function findStatusProblems(status: Status): readonly string[] {
  const { now, oldest, pending, full, failures, dispatch, setbacks, result, problems, publishing } = status
  const age = oldest === null ? 0 : Date.parse(now) - Date.parse(oldest)
  const isWaiting = pending > 0 || full
  const lasting = failures.filter(({ attempts }) => attempts >= MANY)
  const last = result?.error ?? null
  return [
    ...problems,
    ...(isWaiting && publishing.held !== null
      ? [`changes wait, and publishing is held (${publishing.held.reason}): npm run deploy -- --release`]
      : []),
    ...(isWaiting && dispatch.target === null ? ['changes wait, and no dispatch target is set'] : []),
    ...(dispatch.error !== null && dispatch.tries >= MANY
      ? [`no builder could be started in ${dispatch.tries} tries: ${dispatch.error.reason}`]
      : []),
    ...(last !== null && setbacks >= MANY ? [`${setbacks} builds in a row came to nothing: ${last}`] : []),
    ...(age > MAX_AGE ? [`a change has waited for ${Math.round(age / 60_000)} minutes`] : []),
    ...lasting.map(({ seller, reason, attempts }) => `seller ${seller} failed ${attempts} times: ${reason}`),
  ]
}
