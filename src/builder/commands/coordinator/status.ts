/** `status`: prints what needs a person, then the status of the site's coordinator. */
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { formatAge, formatCount } from '../../format-numbers.ts'
import type { CoordinatorStatus } from '../../publish/coordinator/coordinator-client.ts'
import { CallError, createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import { PublishError, readSentence } from '../../publish/publish-error.ts'
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import type { Configuration } from '../configuration.ts'
import { parseConfiguration } from '../configuration.ts'
import { EXIT } from '../exit-codes.ts'
import { configureStage } from '../stage.ts'
import { formatTable, listFirst } from '../terminal/format-lines.ts'

type StatusOptions = Pick<Configuration, 'coordinator'>

const SHOWN = 10

export const command: CommandDefinition<StatusOptions> = {
  blank: { stuck: [] },
  configure: (parser) => void configureStage(parser),
  parse: ({ environment }) => ({
    coordinator: parseConfiguration(environment, ['rebuild secret']).coordinator,
  }),
  run: showStatus,
}

async function showStatus({ coordinator }: StatusOptions, { print }: Terminal): Promise<CommandResult> {
  const status = await readStatus(coordinator)
  const stuck = findStatusProblems(status)
  print([...stuck.map((problem) => `ATTENTION: ${cleanText(problem)}`), ...formatStatus(status)].join('\n'))
  return { exit: stuck.length === 0 ? EXIT.done : EXIT.attention, report: { ...status, stuck } }
}

async function readStatus(coordinator: StatusOptions['coordinator']): Promise<CoordinatorStatus> {
  try {
    return await createCoordinatorClient(coordinator, { tries: 3 }).status()
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    // The exit code is that of a site with problems, because a monitor must report both.
    throw new PublishError(readSentence(error), { cause: error })
  }
}

function formatStatus(status: CoordinatorStatus): readonly string[] {
  const { oldest, lease, error, held, reported, live, builders, workflow, next, failing, failed } = status
  const formatFailing = ({ seller, reason, tries, next: due }: (typeof failing)[number]): string =>
    `${formatId(seller)}: ${reason} (${formatCount(tries, 'try', 'tries')}, next ${due})`
  return [
    ...formatTable([
      ['waiting', formatWaiting(status)],
      ['oldest', oldest === null ? null : `${formatAge(status.now, oldest)} old`],
      ['lease', lease === null ? 'none' : `${lease.builder}, until ${lease.until}`],
      ['builders', `${builders} waiting${workflow === null ? '' : `, else ${workflow}`}`],
      ['next start', next],
      ['last error', error],
      ['held', held ?? 'no'],
      ['reported', reported === null ? 'nothing yet' : `run ${reported}`],
      ['live', formatLive(live)],
      ['failed', formatCount(failed, 'seller')],
    ]),
    ...listFirst(failing, formatFailing, { most: SHOWN, total: failed }),
  ]
}

function formatWaiting({ waiting, full }: CoordinatorStatus): string {
  if (waiting === 0 && !full) return 'nothing'
  return `${full ? 'a full read, and ' : ''}${formatCount(waiting, 'seller')}`
}

function formatLive(live: CoordinatorStatus['live']): string {
  if (live === null) return 'no marker'
  const { run, state, time, sellers, products } = live
  return `run ${run} (${state}) of ${time}, ${formatCount(sellers, 'seller')}, ${formatCount(products, 'product')}`
}

const MINUTE = 60_000

/** Max age of a change that is not live, in milliseconds: longer than a build with a few retries. */
const MAX_AGE = 30 * MINUTE

/** Number of tries after which a failure counts as a problem. */
const MANY = 3

/** Finds what needs a person, worst first. */
export function findStatusProblems(status: CoordinatorStatus): readonly string[] {
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
