/** Updates the Worker of the local edge after each rebuild, in the background. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readSentence } from '../../publish/publish-error.ts'
import { RECORD } from '../rebuild/state-files.ts'

interface LocalWorker {
  /** The state folder. */
  readonly state: string
  /** Writes the Worker's files. The runtime reads them again after one has changed. */
  readonly write: () => Promise<unknown>
  readonly warn: (line: string) => void
  /** Milliseconds between two reads of the state. */
  readonly pause?: number
}

const PAUSE = 2_000

/** Writes the Worker's files after each rebuild. Resolves when the signal aborts. */
export async function keepLocalWorker(
  { state, write, warn, pause = PAUSE }: LocalWorker,
  signal: AbortSignal,
): Promise<void> {
  const record = join(state, RECORD)
  let known = readTimes(record)
  while (!signal.aborted) {
    const present = readTimes(record)
    if (present !== known)
      await write().catch((error) => warn(`The local search page is not up to date: ${readSentence(error)}`))
    known = present
    await wait(pause, undefined, { signal }).catch(() => {})
  }
}

/** Returns a text that changes when a rebuild writes to the record. */
function readTimes(record: string): string {
  const times = [record, `${record}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs)
  return times.join(' ')
}
