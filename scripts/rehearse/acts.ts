/** What every act of the rehearsal uses: commands of the docs, waiting, and checks with a reason. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { formatCataloguePath } from '../../src/domain/pages/paths.ts'
import { formatPrice } from '../../src/domain/documents/price.ts'
import { formatTime } from '../../src/builder/format-numbers.ts'
import type { EdgeSite } from '../fakes/edge-site.ts'
import { PRODUCT, SELLER } from './documents.ts'
import type { Said } from './shell.ts'
import type { Surroundings } from './surroundings.ts'

export interface Act {
  readonly title: string
  /** May return lines to print below the title. */
  run(around: Surroundings): Promise<readonly string[] | void>
}

/** In milliseconds. */
const PATIENCE = 90_000
const LOOK = 250
const SHOWN = 1_500

/** Throws with the reason unless the condition holds. */
export function demand(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new Error(reason)
}

/** Types a line of the docs, answers what it asks, and demands this exit code. */
export async function follow(around: Surroundings, line: string, code = 0): Promise<Said> {
  const said = await around.type(line.replace(/<(seller|id)>/, SELLER), answerFor(around, line))
  demand(
    said.code === code,
    `\`${said.line}\` ended with ${said.code} instead of ${code}:\n${said.text.slice(-SHOWN)}`,
  )
  return said
}

/** As step 2 of the docs makes one. */
export function createSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** What a person types when `wrangler secret put` asks for the value. */
function answerFor({ values }: Surroundings, line: string): string {
  const [, name] = /secret put ([A-Z_]+(?: --env \w+)?)/.exec(line) ?? []
  if (name === undefined) return ''
  const value = values[name]
  demand(value !== undefined, `the docs set ${name}, for which nobody knows a value`)
  return value
}

export async function waitUntil(isSo: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const end = performance.now() + PATIENCE
  while (!(await isSo())) {
    demand(performance.now() < end, `after ${PATIENCE / 1000} s still not: ${what}`)
    await wait(LOOK)
  }
}

/** Whether a visitor sees this price on the page of the seller whose price is changed. */
export async function showsPrice(around: Surroundings, price: number, site?: EdgeSite): Promise<boolean> {
  const { status, text } = await around.visit(formatCataloguePath(SELLER), site)
  return status === 200 && text.includes(formatPrice(price))
}

/** Changes the price in Firestore. */
export async function changePrice({ shop }: Surroundings, price: number): Promise<void> {
  await shop.setPrice(PRODUCT, price)
}

/** Sets lines of `.env`, or of another file of that kind. */
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

/** Returns the steps of the last workflow run. Throws with the first one that failed. */
export async function demandGreen({ github }: Surroundings): Promise<readonly string[]> {
  await github.rest()
  const run = github.runs.at(-1)
  demand(run !== undefined, 'no workflow was started')
  const failed = run.steps.find(({ isDone }) => !isDone)
  demand(
    failed === undefined,
    `the step "${failed?.name}" of ${run.workflow} failed:\n${failed?.said.slice(-SHOWN)}`,
  )
  return run.steps.map(({ name, ms }) => `${run.workflow}: ${name}, ${formatTime(ms)}`)
}

/** The coordinator and Cloudflare name the same live version. */
export async function demandSameLive(around: Surroundings): Promise<void> {
  const { publishing } = await around.readStatus()
  const { live } = around.cloudflare
  demand(
    publishing.live?.version === live?.id,
    `the coordinator believes that ${publishing.live?.version ?? 'nothing'} is live, and Cloudflare has ${live?.id}`,
  )
}
