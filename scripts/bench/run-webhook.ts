/** Runs the webhook bench, and compares its figures with the guarantees of the webhook. */
import { join } from 'node:path'
import { formatCount, formatTime } from '../measure/format-figures.ts'
import type { WebhookFigures } from './measure-webhook.ts'
import { measureWebhook } from './measure-webhook.ts'

const SIGNED = 3_000
const NOTICES = 10_000
const SELLERS = 2_000
const CONCURRENCY = 100
/** Min accepted notices a second. */
const LEAST = 300

export interface WebhookResult {
  readonly text: string
  readonly isKept: boolean
}

export async function runWebhook(folder: string): Promise<WebhookResult> {
  const figures = await measureWebhook({
    signed: SIGNED,
    notices: NOTICES,
    sellers: SELLERS,
    concurrency: CONCURRENCY,
    folder: join(folder, 'webhook'),
  })
  const promises = listPromises(figures)
  return {
    isKept: promises.every(([isKept]) => isKept),
    text: [formatFigures(figures), ...promises.map(formatPromise)].join('\n'),
  }
}

type Promised = readonly [isKept: boolean, text: string]

function listPromises(figures: WebhookFigures): readonly Promised[] {
  const { acceptedPerSecond, forged, lost, doubled, mostRunning, mostWaiting } = figures
  return [
    [acceptedPerSecond >= LEAST, `at least ${LEAST} signed notices a second accepted`],
    [forged === 0, `${formatCount(forged)} forged ones accepted`],
    [lost === 0, `${formatCount(lost)} sellers whose last change was not built`],
    [doubled === 0, `${formatCount(doubled)} notices counted twice`],
    [
      mostRunning <= 1 && mostWaiting <= 1,
      `at most ${mostRunning} builds running and ${mostWaiting} waiting`,
    ],
  ]
}

function formatFigures({
  notices,
  accepted,
  refused,
  acceptedPerSecond,
  ms,
  builds,
}: WebhookFigures): string {
  const rate = formatCount(Math.round(acceptedPerSecond))
  return `Local workerd, ${CONCURRENCY} notices at a time.
${formatCount(SIGNED)} signed ones: ${rate} a second accepted.
${formatCount(notices)} in ${formatTime(ms)}, 30 % of them repeats and 30 % forged: ${formatCount(accepted)} accepted, ${formatCount(refused)} refused, ${formatCount(builds)} builds.`
}

function formatPromise([isKept, text]: Promised): string {
  return `  ${isKept ? 'ok  ' : 'OVER'}  ${text}`
}
