/**
 * A disk under a site that forgets at a power cut: what an output folder wrote without forcing it to the disk may be
 * new, old or without content, and each database may fall back to what was forced to the disk last.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { World } from '../../../../src/builder/rebuild/world.ts'
import type { SyncResult } from '../../../../src/builder/state/output/changed-files.ts'
import type { Output } from '../../../../src/builder/state/output/output.ts'
import type { Random } from '../../../../scripts/measure/random.ts'

export interface LossyDisk {
  /** Wraps the world of one run. */
  wrap(world: World): World
  /** The last run closed its databases, which forces them to the disk. */
  keepState(): void
  /** Loses writes that are not on the disk, or keeps them, as `random` decides. */
  cut(random: Random): void
}

/** Max files that a run forces to the disk. Fewer than the real ones, so that small sites have runs of both kinds. */
const MOST_SYNCED = 14

/** A file that is not known to be on the disk. */
interface Pending {
  /** `null` if it did not exist. */
  readonly old: Uint8Array | null
  readonly isContentSynced: boolean
}

/** `folder` is that of the site, with `dist` and `state`. */
export function createLossyDisk(folder: string): LossyDisk {
  const pending = new Map<string, Pending>()
  const file = (path: string): string => join(folder, 'dist', path)
  const state = (name: string): string => join(folder, 'state', name)
  const durable = join(folder, 'durable')
  const keep = (database: string): void => {
    for (const name of listFiles(database)) copy(state(name), join(durable, name))
  }
  return {
    wrap: (world) => ({
      ...world,
      state: {
        ...world.state,
        output: createLossyOutput(world.state.output, { pending, file }),
        record: {
          ...world.state.record,
          writeDurability: (...values) => {
            world.state.record.writeDurability(...values)
            keep('record.sqlite')
          },
        },
      },
    }),
    keepState: () => DATABASES.forEach(keep),
    cut: (random) => {
      for (const [path, before] of pending) loseFile(file(path), before, random)
      pending.clear()
      for (const database of DATABASES) {
        if (random.chance(0.5)) continue
        for (const name of listFiles(database)) copy(join(durable, name), state(name))
      }
    },
  }
}

const DATABASES = ['snapshot.sqlite', 'record.sqlite']

function listFiles(database: string): readonly string[] {
  return ['', '-wal', '-shm'].map((suffix) => database + suffix)
}

/** Removes the copy if there is no original. */
function copy(from: string, to: string): void {
  rmSync(to, { force: true })
  mkdirSync(dirname(to), { recursive: true })
  if (existsSync(from)) cpSync(from, to)
}

interface Files {
  readonly pending: Map<string, Pending>
  readonly file: (path: string) => string
}

function createLossyOutput(output: Output, { pending, file }: Files): Output {
  const touched = new Set<string>()
  const touch = (path: string, change: () => void): void => {
    touched.add(path)
    const old = pending.get(path)?.old ?? (pending.has(path) ? null : readIfThere(file(path)))
    change()
    pending.set(path, { old, isContentSynced: touched.size <= MOST_SYNCED })
  }
  return {
    ...output,
    write: (path, bytes) => touch(path, () => output.write(path, bytes)),
    place: (files) => files.forEach((one) => touch(one.path, () => output.place([one]))),
    remove: (paths) => paths.forEach((path) => touch(path, () => output.remove([path]))),
    sync: (): SyncResult => {
      const paths = [...touched]
      const isSynced = paths.length <= MOST_SYNCED
      if (isSynced) for (const path of paths) pending.delete(path)
      touched.clear()
      output.sync()
      return { touched: paths, isSynced }
    },
  }
}

function loseFile(file: string, { old, isContentSynced }: Pending, random: Random): void {
  const fate = random.pick(['new', 'old', 'empty'])
  if (fate === 'empty' && !isContentSynced && existsSync(file)) truncateSync(file, 0)
  if (fate !== 'old') return
  rmSync(file, { force: true })
  if (old === null) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, old)
}

function readIfThere(file: string): Uint8Array | null {
  return existsSync(file) ? readFileSync(file) : null
}
