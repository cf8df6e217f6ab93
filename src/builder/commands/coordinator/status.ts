/** `status`: prints what needs a person, then the status of the site's coordinator. */
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { findStatusProblems } from './status-problems.ts'
import { formatAge, formatCount } from '../../format-numbers.ts'
import type { CoordinatorStatus } from '../../publish/coordinator/coordinator-client.ts'
import { CallError, createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import { PublishError, readSentence } from '../../publish/publish-error.ts'
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import type { Configuration } from '../configuration.ts'
import { parseConfiguration } from '../configuration.ts'
import { EXIT } from '../exit-codes.ts'
import { configureStage } from '../stage.ts'
import type { LabelledRow } from '../terminal/format-lines.ts'
import { alignColumns, listFirst, listRows } from '../terminal/format-lines.ts'

type StatusOptions = Pick<Configuration, 'coordinator'>

const SHOWN = 10

export const command: CommandDefinition<StatusOptions> = {
  exits: ['done', 'attention', 'usage', 'unfinished'],
  blank: { stuck: [] },
  configure: (parser) => void configureStage(parser),
  parse: ({ environment }) => ({
    coordinator: parseConfiguration(environment, ['rebuild secret']).coordinator,
  }),
  run: showStatus,
}

async function showStatus(
  { coordinator }: StatusOptions,
  { print, progress }: Terminal,
): Promise<CommandResult> {
  const status = await readStatus(coordinator)
  const stuck = findStatusProblems(status)
  progress.done('')
  print([...stuck.map((problem) => `ATTENTION: ${cleanText(problem)}`), ...formatStatus(status)].join('\n'))
  return { exit: stuck.length === 0 ? EXIT.done : EXIT.attention, report: { ...status, stuck } }
}

async function readStatus(coordinator: StatusOptions['coordinator']): Promise<CoordinatorStatus> {
  try {
    return await createCoordinatorClient(coordinator, { tries: 3 }).status()
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    const hint = error.status === 0 ? ' Check the network, and SITE_URL.' : ''
    // The exit code is that of a site with problems, because a monitor must report both.
    throw new PublishError(readSentence(error) + hint, { cause: error })
  }
}

function formatStatus(status: CoordinatorStatus): readonly string[] {
  const { oldest, lease, error, held, reported, live, builders, workflow, next } = status
  const rows: readonly LabelledRow[] = [
    ['waiting', formatWaiting(status)],
    ['oldest', oldest === null ? null : `${formatAge(status.now, oldest)} old`],
    ['lease', lease === null ? 'none' : `${lease.builder}, until ${lease.until}`],
    ['builders', `${builders} waiting${workflow === null ? '' : `, else ${workflow}`}`],
    ['next start', next],
    ['failed', formatCount(status.failed, 'seller')],
    ...listFailing(status),
    ['last error', error],
    ['held', held ?? 'no'],
    ['reported', reported === null ? 'nothing yet' : `run ${reported}`],
    ['live', formatLive(live)],
  ]
  return alignColumns(listRows(rows).map(([label, text]) => [label, cleanText(text)]))
}

function formatWaiting({ waiting, full }: CoordinatorStatus): string {
  if (waiting === 0 && !full) return 'nothing'
  return full ? `a full read, and ${formatCount(waiting, 'seller')}` : formatCount(waiting, 'seller')
}

function formatLive(live: CoordinatorStatus['live']): string {
  if (live === null) return 'no marker'
  const { run, state, time, sellers, products } = live
  return `run ${run} (${state}) of ${time}, ${formatCount(sellers, 'seller')}, ${formatCount(products, 'product')}`
}

function listFailing({ failing, failed: total }: CoordinatorStatus): readonly LabelledRow[] {
  const format = ({ seller, reason, tries, next }: (typeof failing)[number]): string =>
    `${formatId(seller)}: ${reason} (${formatCount(tries, 'try', 'tries')}, next ${next})`
  return listFirst(failing, format, { most: SHOWN, total }).map((text) => ['', text])
}
