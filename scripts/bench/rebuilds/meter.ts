/** Collects the times and the peak memory of commands over many runs. */
import { spawnSync } from 'node:child_process'
import type { MeasuredCommand, MeasuredRun } from '../../measure/run-measured.ts'
import { runMeasured } from '../../measure/run-measured.ts'
import type { Size } from './bench-settings.ts'

export type SubjectId =
  | 'bare'
  | 'new'
  | 'first'
  | 'public'
  | 'crowded'
  | `${'one' | 'none'}-${Size}`
  | `${'full' | 'eleventy'}${'' | '-small'}`
  | `astro${'' | '-incremental' | '-incremental-new'}`
  | `${'import' | 'verify' | 'export'}${'' | '-part'}`
  | `products-${'first' | 'full' | 'one'}`

export interface Subject {
  readonly id: SubjectId
  readonly command: MeasuredCommand
  /**
   * Runs before the command, untimed. May return a check that runs after the command and throws if the command did not
   * do its work.
   */
  readonly prepare?: () => (() => void) | undefined
}

export interface Figures {
  /** Milliseconds of each run except warm-ups. */
  readonly times: readonly number[]
  /** Highest peak memory of all runs, in bytes; `null` if memory was never measured. */
  readonly peak: number | null
}

export interface Meter {
  run(subject: Subject): Promise<void>
  /** Runs the command once; records its peak memory but not its time. */
  warmUp(subject: Subject): Promise<void>
  read(): Readonly<Partial<Record<SubjectId, Figures>>>
}

export function createMeter(progress: (text: string) => void): Meter {
  const figures: Partial<Record<SubjectId, Figures>> = {}
  const add = (id: SubjectId, times: readonly number[], peak: number | null): void => {
    const before = figures[id] ?? { times: [], peak: null }
    const peaks = [before.peak, peak].filter((one) => one !== null)
    figures[id] = {
      times: [...before.times, ...times],
      peak: peaks.length === 0 ? null : Math.max(...peaks),
    }
  }
  return {
    run: async (subject) => {
      progress(`Measuring: ${subject.id}`)
      const run = await perform(subject, subject.command)
      add(subject.id, [run.ms], run.peak)
    },
    warmUp: async (subject) => {
      progress(`Warming up: ${subject.id}`)
      const { peak } = await perform(subject, { ...subject.command, watchesMemory: true })
      add(subject.id, [], peak)
    },
    read: () => figures,
  }
}

async function perform({ prepare }: Subject, command: MeasuredCommand): Promise<MeasuredRun> {
  const check = prepare?.()
  settleDisk()
  const run = await runMeasured(command)
  check?.()
  return run
}

/**
 * Waits until the system has written all earlier data to the disk. Otherwise the first file that the measured program
 * syncs would have to wait for that data. Does nothing on systems without a command `sync`.
 */
function settleDisk(): void {
  spawnSync('sync')
}
