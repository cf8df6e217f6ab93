/** Finds the problems that need a person, worst first. The command `status` and the alerts both show these problems. */
import type { Status } from './coordinator-status.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Max age of a pending change, in milliseconds: longer than a build with a few retries. */
const MAX_AGE = 30 * MINUTE

/** Max time without a published build, in milliseconds: several nightly full reads. */
const MAX_SILENCE = 7 * DAY

/** Number of tries after which a failure counts as a problem. */
const MANY = 3

export function findStatusProblems(status: Status): readonly string[] {
  return [
    ...findLiveProblems(status),
    ...findBuildProblems(status),
    ...status.problems,
    ...status.failures
      .filter(({ attempts }) => attempts >= MANY)
      .map(({ seller, reason, attempts }) => `seller ${seller} failed ${attempts} times: ${reason}`),
  ]
}

/**
 * Finds problems of publishing: nothing was ever published, publishing is held, a publish has an unknown outcome, or
 * the last publish is too long ago.
 */
function findLiveProblems({ now, published, publishing, ...status }: Status): readonly string[] {
  const { live, doubtful, held } = publishing
  if (live === null && doubtful === null && held === null)
    return ['no publish is recorded yet: npm run deploy']
  // `published` is a sequence, which is a time in milliseconds, so that it can be compared with times.
  const silence = Date.parse(now) - Math.max(published, live === null ? 0 : Date.parse(live.at))
  return [
    ...(held === null
      ? []
      : [
          `${isWaiting(status) ? 'changes wait, and ' : ''}publishing is held (${held.reason}), ` +
            `for ${formatAge(now, held.since)}: npm run deploy -- --release`,
        ]),
    ...(doubtful === null
      ? []
      : [
          `version ${doubtful} may be live: its publisher has not reported the result. npm run deploy publishes again, and then the live version is known`,
        ]),
    ...(silence > MAX_SILENCE
      ? [`nothing has been built and published for ${formatSpan(silence)}: npm run notify -- --full`]
      : []),
  ]
}

/** Finds why pending changes do not become live. */
function findBuildProblems({
  now,
  oldest,
  dispatch,
  setbacks,
  result,
  ...status
}: Status): readonly string[] {
  const age = oldest === null ? 0 : Date.parse(now) - Date.parse(oldest)
  const error = result?.error ?? null
  return [
    ...(isWaiting(status) && dispatch.target === null
      ? [
          'changes wait, and no dispatch target is set: correct the DISPATCH settings, or run npm run rebuild -- --pending --deploy',
        ]
      : []),
    ...(dispatch.error !== null && dispatch.tries >= MANY
      ? [`no builder could be started in ${dispatch.tries} tries: ${dispatch.error.reason}`]
      : []),
    ...(error !== null && setbacks >= MANY ? [`${setbacks} builds in a row failed: ${error}`] : []),
    ...(age > MAX_AGE ? [`a change has waited for ${formatSpan(age)}`] : []),
  ]
}

function isWaiting({ pending, full }: Pick<Status, 'pending' | 'full'>): boolean {
  return pending > 0 || full
}

function formatAge(now: string, since: string): string {
  return formatSpan(Math.max(0, Date.parse(now) - Date.parse(since)))
}

function formatSpan(time: number): string {
  if (time >= 2 * DAY) return `${Math.floor(time / DAY)} days`
  if (time >= 2 * HOUR) return `${Math.floor(time / HOUR)} hours`
  const minutes = Math.floor(time / MINUTE)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
