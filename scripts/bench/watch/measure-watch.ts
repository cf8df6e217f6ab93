/**
 * Measures how soon a change reaches the file of its page under `rebuild --watch`, for the embedded database and for
 * Firestore.
 */
import { on } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { formatCatalogueFile } from '../../../src/domain/pages/paths.ts'
import type { RebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import { runBuilder } from '../../local/run-builder.ts'
import { createEvents } from '../../local/watch-calls.ts'
import type { PriceEdit } from '../edit-seller.ts'
import { formatMeasured } from '../../measure/format-figures.ts'
import { findMedian } from '../../measure/times.ts'
import type { JudgedPromise, Verdict } from '../verdict.ts'
import { judge } from '../verdict.ts'
import type { WatchedSource } from './watch-sources.ts'
import { createDatabase, createFirestore } from './watch-sources.ts'

/** Medians in milliseconds. */
interface WatchFigures {
  readonly source: string
  /** From when the watcher sees the change until the rebuild has written and recorded the page. */
  readonly fromSeen: number
  /** From when the source has stored the edit until the page's file shows it. */
  readonly fromStored: number
}

/**
 * Max `fromSeen`, in milliseconds.
 * Source: docs/proofs.md, Bench.
 */
const BUDGET = 20
const SELLERS = 300
const EDITS = 50

/** Min pause between two reads of the page's file, in milliseconds. */
const LOOK = 0.5
const PATIENCE = 10_000

export async function benchWatch(folder: string, progress: (text: string) => void): Promise<Verdict> {
  const figures: WatchFigures[] = []
  for (const create of [createDatabase, createFirestore]) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    progress('Preparing the source')
    const source = await create(folder, SELLERS)
    try {
      figures.push(await measureSource(source, folder, progress))
    } finally {
      await source.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return judge(
    'Medians of the time of the rebuild after a change, and of the time until the page shows the change:',
    ...figures.map(judgeWatch),
  )
}

function judgeWatch({ source, fromSeen, fromStored }: WatchFigures): JudgedPromise {
  return {
    words: `${source}: the rebuild ended ${formatMeasured(fromSeen)} after it saw the change (at most ${BUDGET} ms); the page showed it ${formatMeasured(fromStored)} after the source had stored it`,
    isKept: fromSeen <= BUDGET,
  }
}

async function measureSource(
  source: WatchedSource,
  folder: string,
  progress: (text: string) => void,
): Promise<WatchFigures> {
  const events = createEvents()
  const reports = on(events, 'report')
  const { settings } = source
  const watching = runBuilder({
    folder,
    settings: { PHOTOS: 'off', ...settings },
    options: ['--watch'],
    onReport: (report) => events.emit('report', report),
  })
  const failed = watching.ended.then(({ words }): never => {
    throw new Error(`rebuild --watch ended too early: ${words}`)
  })
  failed.catch(() => {})
  const readMs = async (): Promise<number> => {
    const { value } = await Promise.race([reports.next(), failed])
    const [{ ms, error }] = value as [RebuildReport]
    if (error !== null) throw new Error(error)
    return ms
  }
  try {
    await readMs()
    const seen: number[] = []
    const stored: number[] = []
    for (let turn = 1; turn <= EDITS; turn += 1) {
      progress(`Watching ${source.name}: edit ${turn} of ${EDITS}`)
      const edit = await source.edit(turn)
      stored.push(await waitForPage(join(folder, 'dist'), edit))
      seen.push(await readMs())
    }
    return { source: source.name, fromSeen: findMedian(seen), fromStored: findMedian(stored) }
  } finally {
    await watching.stop('SIGINT')
  }
}

async function waitForPage(output: string, { seller, shown }: PriceEdit): Promise<number> {
  const start = performance.now()
  const file = join(output, formatCatalogueFile(seller))
  while (!readFileSync(file, 'utf8').includes(shown)) {
    if (performance.now() - start > PATIENCE) throw new Error(`${file} did not show ${shown} within 10 s`)
    await wait(LOOK)
  }
  return performance.now() - start
}
