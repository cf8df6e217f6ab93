/** Functions that all acts of the rehearsal use: they run commands of the docs, wait, and check results. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatCataloguePath } from '../../src/domain/pages/paths.ts'
import { formatPrice } from '../../src/domain/documents/price.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatTime } from '../../src/builder/format-numbers.ts'
import type { EdgeSite } from '../fakes/edge-site.ts'
import type { WorkflowRun } from '../fakes/fake-github.ts'
import type { WorkflowStep } from '../fakes/workflow-run.ts'
import { REHEARSED_PRODUCT, REHEARSED_SELLER } from './documents.ts'
import { awaitWork } from './patience.ts'
import type { Said } from './shell.ts'
import type { Surroundings } from './surroundings.ts'

export interface Act {
  readonly title: string
  /** May return lines to print below the title. */
  run(around: Surroundings): Promise<readonly string[] | void>
}

/**
 * Acts that must run in this order. The first act relies only on the acts of the documented path, not on earlier
 * scenes.
 */
export type Scene = readonly Act[]

/** Max characters of a program's output in an error. */
const SHOWN = 1_500
/** Max tries of a command that is refused because another builder is at work. */
const TRIES = 5

export function requireThat(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new Error(reason)
}

/**
 * Runs a command line of the docs, and answers its prompts. Throws unless it ends with the exit code `code`. If another
 * builder or publisher is at work, waits until no workflow runs, and tries again.
 */
export async function follow(around: Surroundings, line: string, code = 0): Promise<Said> {
  const type = (): Promise<Said> =>
    around.type(line.replace(/<(seller|id)>/, REHEARSED_SELLER), answerFor(around, line))
  let said = await type()
  for (let tries = 1; said.code !== code && isBusy(said) && tries < TRIES; tries += 1) {
    await waitForWorkflows(around)
    said = await type()
  }
  requireThat(
    said.code === code,
    `\`${said.line}\` ended with exit code ${said.code} instead of ${code}:\n${said.text.slice(-SHOWN)}`,
  )
  return said
}

/** Returns whether a command did nothing because another builder or publisher is at work. */
function isBusy({ code, text }: Said): boolean {
  return code === EXIT.busy || text.includes('another machine is publishing: try again')
}

/** Creates a secret in the format of step 2 of the docs. */
export function createSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/**
 * Returns what a person enters when `wrangler secret put` asks for the value; empty for other commands. Throws if the
 * rehearsal has no value for the secret.
 */
function answerFor({ values }: Surroundings, line: string): string {
  const [, name] = /secret put ([A-Z_]+(?: --env \w+)?)/.exec(line) ?? []
  if (name === undefined) return ''
  const value = values[name]
  requireThat(value !== undefined, `the docs say to set ${name}, but the rehearsal has no value for it`)
  return value
}

/** Waits until `isSo` returns true. If progress stops, throws an error that contains `what`. */
export async function waitUntil(
  around: Surroundings,
  isSo: () => Promise<boolean> | boolean,
  what: string,
): Promise<void> {
  const look = around.createPatience()
  while (!(await isSo())) await look(what)
}

export function waitForWorkflows(around: Surroundings): Promise<void> {
  return awaitWork(around.github.rest(), 'no workflow is running', around.createPatience())
}

/** Awaits one or more workflow runs that were started by hand or by a push. Throws if progress stops. */
export function waitForRun<Result>(around: Surroundings, run: Promise<Result>): Promise<Result> {
  return awaitWork(run, 'the workflow has run', around.createPatience())
}

/**
 * Waits until no workflow or build runs and no change is pending. Without objects, builds that wait because publishing
 * is held are ignored.
 */
export function waitForRest(around: Surroundings): Promise<void> {
  const isAtRest = async (): Promise<boolean> => {
    await waitForWorkflows(around)
    const { running, waiting, publishing, objects, changes } = await around.readStatus()
    const isHeld = publishing.held !== null && objects === null
    if (running !== null || (waiting && !isHeld)) return false
    if (changes == null) return true
    return changes.waiting === 0 && changes.sent === 0 && changes.trouble === null && !changes.needsBuilder
  }
  return waitUntil(around, isAtRest, 'no build or workflow is running, and no change is pending')
}

/** Returns whether the page of the rehearsed seller shows `price`, by default the last price that was set. */
export async function showsPrice(
  around: Surroundings,
  site: EdgeSite = around.site,
  price = around.prices.last,
): Promise<boolean> {
  const { status, text } = await around.visit(formatCataloguePath(REHEARSED_SELLER), site)
  return status === 200 && text.includes(formatPrice(price))
}

export function waitForShownPrice(around: Surroundings, what: string): Promise<void> {
  return waitUntil(around, () => showsPrice(around), what)
}

/**
 * Changes the price in Firestore. Resolves when the trigger has seen the change and the site has answered all notices.
 */
export async function changePrice(around: Surroundings): Promise<void> {
  const { shop, prices, trigger } = around
  const { writes } = trigger
  prices.last += 1
  await shop.setPrice(REHEARSED_PRODUCT, prices.last)
  const isReported = (): boolean => trigger.writes > writes && trigger.open === 0
  await waitUntil(around, isReported, 'the trigger has reported the change')
}

/** Changes the price like `changePrice`, but without a notice. */
export async function changeSilently(around: Surroundings): Promise<void> {
  const { trigger } = around
  const { secret } = trigger
  trigger.secret = null
  await changePrice(around).finally(() => (trigger.secret = secret))
}

/** Sets variables in `.env`, or in another file of the same format. */
export function writeSettings(
  { checkout }: Surroundings,
  settings: Readonly<Record<string, string>>,
  file = '.env',
): void {
  const path = join(checkout, file)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  const kept = lines.filter((line) => line !== '' && settings[line.split('=')[0] ?? ''] === undefined)
  const added = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  writeFileSync(path, `${[...kept, ...added].join('\n')}\n`)
}

/**
 * Waits until nothing is running or pending. Then throws if a workflow run has failed, or if there was none. Checks all
 * runs after the first `runs`, by default those since the act began. Returns the steps of the last run.
 */
export async function demandGreen(
  around: Surroundings,
  runs = around.runsBefore,
): Promise<readonly string[]> {
  await waitForRest(around)
  const since = around.github.runs.slice(runs)
  const last = since.at(-1)
  requireThat(last !== undefined, 'no workflow was started')
  demandNoFailure(since)
  return last.steps.map(({ name, ms }) => `${last.workflow}: ${name}, ${formatTime(ms)}`)
}

export function demandNoFailure(runs: readonly WorkflowRun[]): void {
  const run = runs.find((one) => findFailure(one) !== undefined)
  if (run === undefined) return
  const failed = findFailure(run)
  requireThat(false, `the step "${failed?.name}" of ${run.workflow} failed:\n${failed?.said.slice(-SHOWN)}`)
}

export function findFailure({ steps }: WorkflowRun): WorkflowStep | undefined {
  return steps.find(({ isDone }) => !isDone)
}

/**
 * Calls `ask`, and waits until a full read is published. Returns the steps of the last workflow run since the act
 * began.
 */
export async function demandFullRead(
  around: Surroundings,
  ask: () => Promise<unknown>,
): Promise<readonly string[]> {
  const before = (await around.readStatus()).lastFull
  await ask()
  const published = async (): Promise<boolean> => (await around.readStatus()).lastFull !== before
  await waitUntil(around, published, 'a full read is published')
  return demandGreen(around)
}

/** Throws unless the coordinator and Cloudflare name the same live version. */
export async function demandSameLive(around: Surroundings): Promise<void> {
  const { publishing } = await around.readStatus()
  const { live } = around.cloudflare
  requireThat(
    publishing.live?.version === live?.id,
    `the coordinator has ${publishing.live?.version ?? 'nothing'} as the live version, but Cloudflare has ${live?.id ?? 'nothing'}`,
  )
}
