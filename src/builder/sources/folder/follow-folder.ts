/** Follows a folder of documents and reports any change of its files. */
import { watch } from 'node:fs'
import type { Watcher } from '../source.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

/** Milliseconds without a change after which a file counts as completely written. */
const QUIET = 50
/** Delay before a folder that could not be watched is tried again, in milliseconds. */
const RETRY = 1_000

export function followFolder(path: string, { onChange, onTrouble, signal }: Watcher): void {
  let timer: NodeJS.Timeout | undefined
  const gather = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => onChange(null), QUIET)
  }
  const start = (): void => {
    if (signal.aborted) return
    try {
      const watcher = watch(path, { signal }, gather)
      watcher.on('error', (error) => lose(error))
    } catch (error) {
      lose(error)
    }
  }
  const lose = (error: unknown): void => {
    onTrouble(`${path} cannot be followed (${readMessage(error)}): trying again`)
    setTimeout(() => {
      start()
      gather()
    }, RETRY)
  }
  signal.addEventListener('abort', () => clearTimeout(timer))
  start()
}
