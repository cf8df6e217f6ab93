/**
 * The last states of a rebuild, `begun` and `ended`. Comments refer to a state as "Protocol state", with its name; for
 * all states and what is durable after each, see docs/design.md, The protocol of a rebuild.
 */
import { randomUUID } from 'node:crypto'
import type { OutputTrust } from '../state/output/output-identity.ts'
import { beginOutputIdentity, writeOutputIdentity } from '../state/output/output-identity.ts'
import type { Output } from '../state/output/output.ts'
import type { Durability } from '../state/record/record.ts'
import type { RebuildState } from './world.ts'

/** Moves a run into the states `begun` and `ended`. */
interface RunChanges {
  /** The output folder. Its first change moves the run into the state `begun`. */
  readonly output: Output
  hasBegun(): boolean
  /** Protocol state `ended`. Writes the run's final marker into the output folder. */
  end(): void
}

type Marked = Pick<RebuildState, 'output' | 'record' | 'snapshot'>

interface RunOptions {
  readonly isWhole: boolean
  /** The result of `readOutputTrust` at the start of the run. */
  readonly trust: OutputTrust
  /** Identifies the current boot of the operating system. */
  readonly boot: string
}

/**
 * A run that checks everything, or the files that a power cut may have damaged, drops the link between snapshot and
 * record in `begun` and writes a new one in `ended`, so that the run after an interruption checks everything.
 */
export function createRunChanges(world: Marked, { isWhole, trust, boot }: RunOptions): RunChanges {
  const run = randomUUID()
  let hasBegun = false
  const earlier = world.record.readDurability()
  const isChecking = isWhole || readAtRisk(world.record, boot) !== 'none'
  // Protocol state `begun`. Called before each change in the output folder; the first call enters the state.
  const begin = (): void => {
    if (hasBegun) return
    hasBegun = true
    world.record.countPublish(world.snapshot.readPublished())
    if (isChecking) world.record.writeLinks([])
    else writeLink(world, run)
    // Forces the record's changes above to the disk before any file of the site is written.
    world.record.writeDurability({ boot, state: 'writing' })
    beginOutputIdentity(world.output, world.record, run)
    world.output.sync()
  }
  return {
    output: callFirst(world.output, begin),
    hasBegun: () => hasBegun,
    end: () => {
      writeOutputIdentity(world.output, world.record)
      if (isChecking) writeLink(world, run)
      const isAfter = isAfterBoot(earlier, boot)
      // Whether the record's list of unsynced files is complete. It is complete after a restart, because this run has
      // then checked every file that a power cut may have damaged (see `readAtRisk`).
      const isKnown = trust === 'empty' || (trust === 'trusted' && (isAfter || earlier?.state === 'listed'))
      if (hasBegun || isAfter) recordSync(world, { boot, state: isKnown ? 'listed' : 'unknown' }, isAfter)
    },
  }
}

/**
 * Returns which files a power cut may have damaged. `none` if the system was not restarted since the last run, or if
 * all files were forced to the disk; `listed` if the record lists the files that were not forced to the disk; otherwise
 * `all`.
 */
export function readAtRisk(record: RebuildState['record'], boot: string): 'none' | 'listed' | 'all' {
  const durability = record.readDurability()
  if (!isAfterBoot(durability, boot)) return 'none'
  if (durability?.state !== 'listed') return 'all'
  return record.readUnsynced().length > 0 ? 'listed' : 'none'
}

function isAfterBoot(durability: Durability | null, boot: string): boolean {
  return durability !== null && durability.boot !== boot
}

function recordSync({ output, record }: Marked, durability: Durability, isAfter: boolean): void {
  const { touched, isSynced } = output.sync()
  const forget = isAfter ? 'all' : isSynced ? touched : []
  record.writeDurability(durability, { forget, add: isSynced ? [] : touched })
}

/**
 * Returns whether snapshot and record belong together. False if one of them was restored without the other, or if a run
 * that checks everything was interrupted.
 */
export function isLinked({ record, snapshot }: Pick<RebuildState, 'record' | 'snapshot'>): boolean {
  return record.readLinks().includes(snapshot.readLink())
}

function callFirst(output: Output, begin: () => void): Output {
  return {
    ...output,
    write: (path, content) => {
      begin()
      output.write(path, content)
    },
    place: (files) => {
      if (files.length === 0) return
      begin()
      output.place(files)
    },
    remove: (paths) => {
      if (paths.length === 0) return
      begin()
      output.remove(paths)
    },
  }
}

// Lets the record accept the old and the new link until the snapshot has the new one, so that snapshot and record still
// belong together after a crash in between.
function writeLink({ record, snapshot }: Marked, link: string): void {
  record.writeLinks([...record.readLinks(), link])
  snapshot.writeLink(link)
  record.writeLinks([link])
}
