/**
 * `conform`: deploys the probe, a Worker with which the command checks the project's assumptions about the services, in
 * an account or in the local runtime.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatCanonicalJson } from '../../../domain/documents/json.ts'
import { formatCount } from '../../format-numbers.ts'
import { readSentence } from '../../publish/publish-error.ts'
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { createPaint } from '../terminal/paint.ts'
import type { AskWorld } from './asking.ts'
import type { Assumption } from './asking.ts'
import { ASSUMPTIONS } from './assumptions.ts'
import type { ConformOptions } from './conform-options.ts'
import { configureConform, findLack, parseConformOptions } from './conform-options.ts'
import type { Bill } from '../../publish/cloudflare/prices.ts'
import { priceMillion } from '../../publish/cloudflare/prices.ts'
import type { Finding } from './format-findings.ts'
import { countFindings, formatFinding, formatReport } from './format-findings.ts'
import { createProbe } from './probe-client.ts'
import type { ProbeHost } from './probe-host.ts'
import { openProbeHost } from './probe-host.ts'

const REPORT = 'conform.md'
/** Max time until a new address answers, in milliseconds. */
const EARLY = 300_000
/** One cent, in US dollars. Lower prices are not printed as a number. */
const CENT = 0.01

export const command: CommandDefinition<ConformOptions> = {
  configure: configureConform,
  parse: parseConformOptions,
  run: conform,
}

export async function conform(options: ConformOptions, terminal: Terminal): Promise<CommandResult> {
  const host = openProbeHost(options)
  if (options.isCleaning) return { exit: EXIT.done, report: { removed: await printRemoved(host, terminal) } }
  const end = terminal.listenForEnd()
  const run: Run = { address: '', findings: [], bill: null }
  try {
    await askAll(options, host, { terminal, end, run })
  } catch (error) {
    if (!end.aborted) {
      await printRemoved(host, terminal).catch((left: unknown) => terminal.warn(readSentence(left)))
      throw error
    }
  }
  terminal.progress.update('Removing everything that this run created')
  await printRemoved(host, terminal)
  return conclude(options, terminal, { ...run, isWhole: !end.aborted })
}

async function printRemoved(host: ProbeHost, { print }: Terminal): Promise<readonly string[]> {
  const removed = await host.remove()
  if (removed.length > 0) print(`Removed: ${removed.join(', ')}.`)
  return removed
}

/** The results of a run so far. Each step adds its own, so that an interrupted run can report them. */
interface Run {
  /** Empty before the probe is deployed. */
  address: string
  readonly findings: Finding[]
  /** Numbers of the billed operations of all calls so far; `null` before the probe is deployed. */
  bill: Readonly<Bill> | null
}

interface Asking {
  readonly terminal: Terminal
  readonly end: AbortSignal
  readonly run: Run
}

async function askAll(
  options: ConformOptions,
  host: ProbeHost,
  { terminal: { print, progress }, end, run }: Asking,
): Promise<void> {
  progress.update('Deploying the probe')
  const origin = await host.deploy()
  run.address = origin
  const probe = createProbe({ origin, key: host.key, end })
  run.bill = probe.bill
  progress.update(`Waiting for ${origin}`)
  const version = await probe.poll(() => probe.ask('version').catch(() => null), isFirst, EARLY)
  if (!isFirst(version))
    throw new Error(`${origin} does not answer as the new test Worker yet: run again in a few minutes`)
  const paint = createPaint()
  const world = { probe, environment: options.environment, switchVersion: host.switchVersion }
  for (const [index, assumption] of ASSUMPTIONS.entries()) {
    end.throwIfAborted()
    progress.update(`${index + 1} of ${ASSUMPTIONS.length}: ${assumption.claim}`)
    const lack = findLack(assumption.part, options)
    const finding =
      lack === null ? await find(assumption, world, end) : ({ assumption, state: 'not asked', lack } as const)
    run.findings.push(finding)
    print(formatFinding(finding, paint))
  }
}

function isFirst(version: unknown): boolean {
  return version === '1'
}

/**
 * Asks, and compares the answer with the expected one. A question that fails counts as `differs`, unless `end` has
 * aborted: then the error is thrown.
 */
async function find(assumption: Assumption, world: AskWorld, end: AbortSignal): Promise<Finding> {
  try {
    const { answer, note = '' } = await assumption.ask(world)
    const isSo = formatCanonicalJson(answer) === formatCanonicalJson(assumption.expected)
    return { assumption, state: isSo ? 'holds' : 'differs', found: formatCanonicalJson(answer), note }
  } catch (error) {
    if (end.aborted) throw error
    return { assumption, state: 'differs', found: readSentence(error), note: '' }
  }
}

interface Conclusion extends Readonly<Run> {
  readonly isWhole: boolean
}

/** Writes the report, prints a summary and returns the result. */
export function conclude(
  { state }: Pick<ConformOptions, 'state'>,
  { print, progress }: Terminal,
  { address, findings, isWhole, bill }: Conclusion,
): CommandResult {
  progress.done('')
  const file = join(state, REPORT)
  mkdirSync(state, { recursive: true })
  writeFileSync(file, formatReport(address, findings))
  const left = ASSUMPTIONS.length - findings.length
  const early = isWhole ? '' : ` Interrupted: ${formatCount(left, 'assumption')} not checked.`
  print(`\n${countFindings(findings)}.${early}${formatBill(bill)} The report is ${file}.`)
  const isRight = isWhole && findings.every((one) => one.state !== 'differs')
  return {
    exit: isRight ? EXIT.done : EXIT.attention,
    report: {
      address,
      isWhole,
      bill,
      findings: findings.map(({ assumption: { claim, reliesOn, expected }, ...found }) => ({
        claim,
        reliesOn,
        expected,
        ...found,
      })),
    },
  }
}

/** Returns a sentence that begins with a space; an empty text if there is no bill. */
function formatBill(bill: Readonly<Bill> | null): string {
  if (bill === null) return ''
  const price = priceMillion(bill) / 1_000_000
  const counts = [
    formatCount(bill.requests, 'request'),
    formatCount(bill.written, 'row written', 'rows written'),
    formatCount(bill.classA, 'R2 write or list', 'R2 writes and lists'),
    formatCount(bill.classB, 'R2 read', 'R2 reads'),
    formatCount(bill.queue, 'queue operation', 'queue operations'),
  ]
  return ` ${counts.join(', ')}, at a cost of ${price < CENT ? 'less than a cent' : `${price.toFixed(2)} US$`}.`
}
