/** Marks the beginning and the end of a run's changes, so that whoever finds a part of them can tell. */
import { randomUUID } from 'node:crypto'
import { beginOutputIdentity, writeOutputIdentity } from '../state/output/output-identity.ts'
import type { Output } from '../state/output/output.ts'
import type { RebuildState } from './world.ts'

export interface RunChanges {
  /** The output folder; the first change through it begins the run's changes. */
  readonly output: Output
  hasBegun(): boolean
  /** After everything is in place and recorded. */
  end(): void
}

type Marked = Pick<RebuildState, 'output' | 'record' | 'snapshot'>

/**
 * The output folder gets a marker of this run: one that is put back from before is no longer known. Snapshot and
 * record get a new link: one that is put back alone no longer fits. Of a run that looks at everything the link comes
 * last, so that after an interruption everything is looked at again.
 */
export function createRunChanges(world: Marked, isWhole: boolean): RunChanges {
  const run = randomUUID()
  let hasBegun = false
  const begin = (): void => {
    if (hasBegun) return
    hasBegun = true
    world.record.countPublish()
    if (isWhole) world.record.writeLinks([])
    else writeLink(world, run)
    beginOutputIdentity(world.output, world.record, run)
  }
  return {
    output: callFirst(world.output, begin),
    hasBegun: () => hasBegun,
    end: () => {
      writeOutputIdentity(world.output, world.record)
      if (isWhole) writeLink(world, run)
    },
  }
}

/** Whether the record has followed this snapshot to where it stands. */
export function isLinked({ record, snapshot }: Pick<RebuildState, 'record' | 'snapshot'>): boolean {
  return record.readLinks().includes(snapshot.readLink())
}

function callFirst(output: Output, begin: () => void): Output {
  return {
    ...output,
    write: (path, bytes) => {
      begin()
      output.write(path, bytes)
    },
    place: (name, path) => {
      begin()
      output.place(name, path)
    },
    remove: (path) => {
      begin()
      output.remove(path)
    },
  }
}

function writeLink({ record, snapshot }: Marked, link: string): void {
  record.writeLinks([...record.readLinks(), link])
  snapshot.writeLink(link)
  record.writeLinks([link])
}
