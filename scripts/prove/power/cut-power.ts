/** Runs a rebuild on a disk, and saves images of the disk as a power cut at given instants would leave it. */
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../difference.ts'
import type { Disk } from './disk.ts'
import type { DiskSandbox, PreparedPower } from './prepare-power.ts'
import type { SandboxRun, Sandbox } from '../faults/sandboxes.ts'
import { runInSandbox } from '../faults/sandboxes.ts'
import type { RunSpec } from '../faults/scenarios.ts'
import { updateSource } from '../site/write-source.ts'

export interface Cut {
  /**
   * `ms` counts from the start or the end of the run. A watch does not end: there, `start` means the change of the
   * source, and `end` means the instant after all cuts with `start`.
   */
  readonly since: 'start' | 'end'
  readonly ms: number
}

export interface PowerPlan {
  /** In chronological order. */
  readonly cuts: readonly Cut[]
  /** Milliseconds after which an earlier run in the same boot is killed; `null` for no earlier run. */
  readonly killAfter: number | null
}

/** Milliseconds after which a watch has usually ended its first run. */
const WATCH_STARTS = 2000

/** Runs the rebuild of the scenario. Returns the path of the disk image of each cut. */
export async function cutPower(
  { scenario: { before, next }, base, folder }: PreparedPower,
  { disk, sandbox }: DiskSandbox,
  { cuts, killAfter }: PowerPlan,
): Promise<readonly string[]> {
  const isWatch = next.args.includes('--watch')
  disk.insert(base)
  if (!isWatch) writeDurably(sandbox, before, next)
  if (killAfter !== null) await runInSandbox(sandbox, next, { killAfter })
  const run = await start(sandbox, next)
  try {
    if (isWatch) {
      await sleep(WATCH_STARTS)
      writeDurably(sandbox, before, next)
    }
    const shot = { folder, disk, child: run.child }
    const during = await takeImages(select(cuts, 'start'), { ...shot, prefix: 'during' })
    if (!isWatch) checkEnd(await run.ended)
    return [...during, ...(await takeImages(select(cuts, 'end'), { ...shot, prefix: 'after' }))]
  } finally {
    run.child.kill('SIGTERM')
    const end = await run.ended
    if (isWatch) checkEnd(end)
  }
}

function select(cuts: readonly Cut[], since: Cut['since']): readonly Cut[] {
  return cuts.filter((cut) => cut.since === since)
}

interface Shot {
  readonly folder: string
  readonly prefix: string
  readonly disk: Disk
  readonly child: ChildProcess
}

// Pauses the process during each copy, so that the image shows a single instant.
async function takeImages(
  cuts: readonly Cut[],
  { folder, prefix, disk, child }: Shot,
): Promise<readonly string[]> {
  const begin = performance.now()
  const images: string[] = []
  for (const { ms } of cuts) {
    await sleep(Math.max(0, begin + ms - performance.now()))
    const image = join(folder, `${prefix}-${images.length}.img`)
    child.kill('SIGSTOP')
    try {
      disk.save(image)
    } finally {
      child.kill('SIGCONT')
    }
    images.push(image)
  }
  return images
}

function writeDurably({ place }: Sandbox, before: RunSpec, next: RunSpec): void {
  const change = { before: before.documents, after: next.documents }
  updateSource(place.source, 'embedded', { ...change, style: 'update', isDurable: true })
}

async function start(
  sandbox: Sandbox,
  spec: RunSpec,
): Promise<{ child: ChildProcess; ended: Promise<SandboxRun> }> {
  const { promise, resolve } = Promise.withResolvers<ChildProcess>()
  const ended = runInSandbox(sandbox, spec, { whileRunning: resolve })
  return { child: await promise, ended }
}

function checkEnd({ exit, words }: SandboxRun): void {
  if (exit !== 0) fail([`the run before the cut ended with exit code ${exit}: ${words.trim()}`])
}
