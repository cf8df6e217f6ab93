/**
 * Measures how soon a change is served from a bucket on the local runtime, with a builder that waits: after SQL in an
 * embedded database, and after a notice of a change in Firestore.
 */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Firestore } from '@google-cloud/firestore'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import { MARKER, parseMarker } from '../../../src/domain/wire/site-marker.ts'
import { BUCKET_CONFIGURATION } from '../../../src/builder/commands/local/fill-bucket.ts'
import { startEdge } from '../../../src/builder/commands/local/local-edge.ts'
import { NO_SETTINGS } from '../../measure/no-settings.ts'
import { VITRINA } from '../../measure/run-tool.ts'
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import { createCoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createEmbedded } from '../../../src/builder/sources/embedded/embedded-create.ts'
import { startEmulator } from '../../emulator/firestore-emulator.ts'
import { formatMeasured, findMedian } from '../../measure/figures.ts'
import { editSeller, pickSeller } from '../edit-seller.ts'
import { makeSeller } from '../made-sellers.ts'
import type { BenchTools, Verdict } from '../verdict.ts'
import { judge } from '../verdict.ts'

const SIZES = { few: 1_000, many: 50_000 }
const PRODUCTS = 2
const NOTICED_SELLERS = 100
/** Max values, in milliseconds, and how much longer a change may take among many sellers. */
const BUDGET = { sql: 200, notice: 300, growth: 1.3 }
const TURNS = 15
/** Pause after a change, in milliseconds, so that a publish does not delay the next. */
const REST = 1_500
const PATIENCE = 30 * 60_000
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`

interface LiveSite {
  readonly url: string
  /** Returns the time until the seller's page shows the text, in milliseconds. */
  measure(seller: string, shown: string): Promise<number>
}

export async function benchLive({ folder, isQuick, progress }: BenchTools): Promise<Verdict> {
  const measureSql = async (sellers: number): Promise<number> => {
    progress(`Publishing ${formatNumber(sellers)} sellers`)
    return measureDatabase(join(folder, 'live'), sellers)
  }
  const few = await measureSql(SIZES.few)
  const many = isQuick ? null : await measureSql(SIZES.many)
  progress('Notices')
  const notice = await measureNotices(join(folder, 'live'))
  const judgeTime = (ms: number, budget: number, words: string) => ({
    words: `${formatMeasured(ms).padStart(8)}  ${words}`,
    isKept: ms <= budget,
  })
  const among = (sellers: number): string => `from SQL to served, among ${formatNumber(sellers)} sellers`
  const verdict = judge(
    `Bucket on the local runtime, with a builder that waits, medians of ${TURNS}:`,
    judgeTime(few, BUDGET.sql, among(SIZES.few)),
    ...(many === null ? [] : [judgeTime(many, Math.min(BUDGET.sql, few * BUDGET.growth), among(SIZES.many))]),
    judgeTime(notice, BUDGET.notice, 'from a notice to served, without the quiet time'),
  )
  const round = (ms: number): number => Math.round(ms * 10) / 10
  const bucket = { sqlToServedMs: round(many ?? few), noticeToServedMs: round(notice) }
  return { ...verdict, figures: { bucket } }
}

async function measureDatabase(folder: string, sellers: number): Promise<number> {
  rmSync(folder, { recursive: true, force: true })
  const source = join(folder, 'source.sqlite')
  await createEmbedded(source, (database) => {
    const insert = database.prepare(
      'INSERT INTO documents (collection, id, update_time, data) VALUES (?, ?, ?, ?)',
    )
    for (let number = 0; number < sellers; number += 1)
      for (const { collection, id, updateTime, data } of listDocuments(number))
        insert.run(collection, id, updateTime, JSON.stringify(data))
  })
  return inLiveSite(folder, { CATALOGUE_SOURCE: source }, ({ measure }) =>
    repeat((turn) => {
      const { seller, shown } = editSeller(source, pickSeller(sellers, turn), turn)
      return measure(seller, shown)
    }),
  )
}

/** Nobody follows Firestore, so the notice alone tells the builder of the change. */
async function measureNotices(folder: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true })
  const emulator = await startEmulator()
  const project = 'demo-bench'
  const clientOptions = { universeDomain: 'googleapis.com' }
  const database = new Firestore({ projectId: project, host: emulator.host, ssl: false, clientOptions })
  const batch = database.batch()
  for (let number = 0; number < NOTICED_SELLERS; number += 1)
    for (const { collection, id, data } of listDocuments(number))
      batch.set(database.collection(collection).doc(id), Object(data))
  await batch.commit()
  const source = {
    CATALOGUE_SOURCE: 'firestore',
    FIREBASE_PROJECT_ID: project,
    FIRESTORE_EMULATOR_HOST: emulator.host,
  }
  try {
    return await inLiveSite(folder, source, ({ url, measure }) => {
      const client = createCoordinatorClient({ url, secrets: { notice: [], rebuild: [SECRET] } })
      return repeat(async (turn) => {
        const { id, products } = makeSeller(turn, PRODUCTS)
        const price = 100_000 + turn
        await database
          .collection('cataloge')
          .doc(products[0]?.id ?? '')
          .update({ price })
        void client.notice([id])
        return measure(id, formatPrice(price))
      })
    })
  } finally {
    await database.terminate()
    await emulator.stop()
  }
}

function listDocuments(number: number): readonly SourceDocument[] {
  const { profile, products } = makeSeller(number, PRODUCTS)
  return profile === null ? products : [profile, ...products]
}

/** The first turns are not counted, because code is compiled in them. */
async function repeat(act: (turn: number) => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let turn = -2; turn < TURNS; turn += 1) {
    times.push(await act(turn + 3))
    await wait(REST)
  }
  return findMedian(times.slice(2))
}

/** Publishes the source to a bucket of its own, and goes on with `work` while a builder waits for changes. */
async function inLiveSite<Result>(
  folder: string,
  source: Readonly<Record<string, string>>,
  work: (site: LiveSite) => Promise<Result>,
): Promise<Result> {
  mkdirSync(folder, { recursive: true })
  // The Worker runs already.
  const wrangler = join(folder, 'no-wrangler.mjs')
  writeFileSync(wrangler, '')
  const edge = await startEdge({
    folder: null,
    configuration: BUCKET_CONFIGURATION,
    state: join(folder, 'edge'),
    variables: { REBUILD_SECRET: SECRET, REBUILD_QUIET_MS: '0' },
  })
  // A site with the address `localhost` is not published.
  const url = edge.origin.replace('//localhost', '//127.0.0.1')
  const env = { ...process.env, ...NO_SETTINGS, ...source, SITE_URL: url, REBUILD_SECRET: SECRET }
  const builder = spawn(
    process.execPath,
    [VITRINA, 'deploy', '--watch', '--out', join(folder, 'dist'), '--state', join(folder, 'state')],
    {
      cwd: folder,
      env: { ...env, HOSTING: 'bucket', PHOTOS: 'off', VITRINA_WRANGLER: wrangler },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  try {
    const read = async (path: string): Promise<string> => (await fetch(url + path)).text()
    const isLive = async (): Promise<boolean> => parseMarker(await read(`/${MARKER}`))?.state === 'closed'
    await waitUntil(builder, isLive, 1_000)
    await wait(REST)
    return await work({
      url,
      measure: async (seller, shown) => {
        const start = performance.now()
        await waitUntil(builder, async () => (await read(formatCataloguePath(seller))).includes(shown), 5)
        return performance.now() - start
      },
    })
  } finally {
    if (builder.exitCode === null && builder.kill()) await once(builder, 'exit')
    await edge[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function waitUntil(
  builder: ChildProcess,
  isDone: () => Promise<boolean>,
  pause: number,
): Promise<void> {
  const end = performance.now() + PATIENCE
  while (!(await isDone())) {
    if (builder.exitCode !== null) throw new Error('the builder has ended')
    if (performance.now() > end) throw new Error('a change was not served in time')
    await wait(pause)
  }
}
