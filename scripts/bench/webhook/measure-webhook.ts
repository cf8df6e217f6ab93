/**
 * Measures how many new notices the webhook accepts per second, and whether any change is lost under a load with
 * repeats and forgeries.
 */
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as openRequest } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import type { CoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createCoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { inLanes } from '../../../src/domain/work/batches.ts'
import { findFreePort, startEdge } from '../../../src/builder/commands/local/local-edge.ts'
import { formatMeasured } from '../../measure/format-figures.ts'
import type { Verdict } from '../verdict.ts'
import { judge } from '../verdict.ts'
import type { WebhookTargetCount } from './webhook-target.ts'
import { startWebhookTarget } from './webhook-target.ts'
import type { SignedNotice } from './webhook-notices.ts'
import { createNotices, createSigned, BENCH_SECRET } from './webhook-notices.ts'

/** Number of signed, new notices that are sent to measure the accepted rate. */
const SIGNED = 3_000
/** Notices in the mixed load: 40 % new, 30 % repeats, 30 % forged. */
const NOTICES = 10_000
const SELLERS = 2_000
/** Max requests at the same time. */
const CONCURRENCY = 100
/** Min accepted notices a second. */
const LEAST = 300

interface WebhookFigures extends WebhookTargetCount {
  /** Measured with signed, new notices only. */
  readonly acceptedPerSecond: number
  readonly notices: number
  /** Notices answered with 202. */
  readonly accepted: number
  readonly refused: number
  readonly ms: number
  /** Forged notices that were accepted. */
  readonly forged: number
  /**
   * Number of notices that the site counted beyond the new ones that were sent; 0 if it ignored every repeat and
   * forgery.
   */
  readonly doubled: number
}

const PATIENCE = 60_000

/** `folder` holds the site, and is removed at the end. */
export async function benchWebhook(folder: string): Promise<Verdict> {
  const figures = await measureWebhook(folder)
  const { acceptedPerSecond, forged, lost, doubled, mostRunning, mostWaiting } = figures
  const { notices, accepted, refused, ms, builds } = figures
  const rate = formatNumber(Math.round(acceptedPerSecond))
  return judge(
    `Local workerd, ${CONCURRENCY} notices at a time.`,
    `${formatNumber(SIGNED)} signed, new notices: ${rate} accepted per second.`,
    `${formatNumber(notices)} notices in ${formatMeasured(ms)}, 30 % of them repeats and 30 % forged: ${formatNumber(accepted)} accepted, ${formatNumber(refused)} refused, ${formatNumber(builds)} builds.`,
    {
      words: `at least ${LEAST} signed notices a second accepted`,
      isKept: acceptedPerSecond >= LEAST,
    },
    { words: `${formatNumber(forged)} forged notices accepted`, isKept: forged === 0 },
    { words: `${formatNumber(lost)} sellers whose last change was not built`, isKept: lost === 0 },
    {
      words: `${formatNumber(doubled)} changes counted for repeated or forged notices`,
      isKept: doubled === 0,
    },
    {
      words: `most builds at the same time: ${mostRunning} running and ${mostWaiting} waiting (at most one each is permitted)`,
      isKept: mostRunning <= 1 && mostWaiting <= 1,
    },
  )
}

async function measureWebhook(folder: string): Promise<WebhookFigures> {
  mkdirSync(join(folder, 'dist'), { recursive: true })
  writeFileSync(join(folder, 'dist/index.html'), 'home')
  const builder = await startWebhookTarget()
  const edge = await startEdge({
    port: await findFreePort(),
    serve: { folder: join(folder, 'dist') },
    variables: {
      REBUILD_SECRET: BENCH_SECRET,
      REBUILD_QUIET_MS: '200',
      SELLER_QUIET_MS: '0',
      REBUILD_LONGEST_WAIT_MS: '1000',
      DISPATCH_URL: builder.url,
    },
    state: join(folder, 'state'),
  })
  try {
    const client = createCoordinatorClient({ url: edge.origin, secrets: [BENCH_SECRET] })
    await builder.open(client)
    const sendTo = (notices: readonly SignedNotice[]): Promise<Sent> =>
      sendAll(edge.origin, notices, builder.change)
    const signed = createSigned(SIGNED, SELLERS)
    const first = await sendTo(signed)
    const notices = createNotices(NOTICES, SELLERS)
    const { answers, ms } = await sendTo(notices)
    await waitForRest(client)
    return {
      ...countAnswers(notices, answers),
      ...builder.count(),
      ms,
      acceptedPerSecond: (countAnswers(signed, first.answers).accepted / first.ms) * 1000,
    }
  } finally {
    await edge.close()
    builder.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Answer {
  readonly status: number
  readonly accepted: number
}

interface Sent {
  readonly answers: readonly Answer[]
  readonly ms: number
}

/** Calls `change` with the seller right before each new notice is sent, but not before repeats and forgeries. */
async function sendAll(
  origin: string,
  notices: readonly SignedNotice[],
  change: (seller: string) => void,
): Promise<Sent> {
  const start = performance.now()
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })
  const answers: Answer[] = []
  await inLanes(notices.entries(), CONCURRENCY, async ([index, notice]) => {
    if (notice.kind === 'new') change(notice.seller)
    answers[index] = await send(`${origin}/api/rebuild`, notice, agent)
  })
  agent.destroy()
  return { answers, ms: performance.now() - start }
}

async function send(address: string, { headers, body }: SignedNotice, agent: Agent): Promise<Answer> {
  const request = openRequest(address, {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  })
  request.end(body)
  const [response] = await once(request, 'response')
  const said = (await json(response)) as { readonly accepted?: number }
  return { status: response.statusCode ?? 0, accepted: said.accepted ?? 0 }
}

async function waitForRest(client: CoordinatorClient): Promise<void> {
  const end = performance.now() + PATIENCE
  for (;;) {
    const { pending, running } = await client.status()
    if (pending === 0 && running === null) return
    if (performance.now() > end)
      throw new Error(
        `a minute after the last notice, ${pending} sellers are pending, and ${running === null ? 'no' : 'a'} build is running`,
      )
    await wait(100)
  }
}

function countAnswers(
  notices: readonly SignedNotice[],
  answers: readonly Answer[],
): Pick<WebhookFigures, 'notices' | 'accepted' | 'refused' | 'forged' | 'doubled'> {
  const isAccepted = (_: SignedNotice, index: number): boolean => answers[index]?.status === 202
  const counted = answers.reduce((sum, { accepted }) => sum + accepted, 0)
  return {
    notices: notices.length,
    accepted: notices.filter(isAccepted).length,
    refused: notices.filter((one, index) => !isAccepted(one, index)).length,
    forged: notices.filter((one, index) => one.kind === 'forged' && isAccepted(one, index)).length,
    doubled: counted - notices.filter(({ kind }) => kind === 'new').length,
  }
}
