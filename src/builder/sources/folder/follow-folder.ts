/** Follows a folder of documents and reports any change of its files. */
import type { FSWatcher } from 'node:fs'
import { statSync, watch } from 'node:fs'
import type { Watcher } from '../source.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

/** Milliseconds without a change after which a file counts as completely written. */
const QUIET = 50
/** Time between two looks at which folder is at the path, in milliseconds. */
const INTERVAL = 1_000

interface Followed {
  readonly identity: string
  readonly watcher: FSWatcher
}

/** The folder may be missing for a while, and another folder may take its place. */
export function followFolder(path: string, { onChange, onTrouble, signal }: Watcher): void {
  // The signal may have aborted while this module was being loaded.
  if (signal.aborted) return
  let timer: NodeJS.Timeout | undefined
  let followed: Followed | null = null
  let isMissed = false
  const stop = (): void => {
    followed?.watcher.close()
    followed = null
  }
  const lose = (error: unknown): void => {
    stop()
    if (!isMissed) onTrouble(`${path} cannot be followed (${readMessage(error)}): trying again`)
    isMissed = true
  }
  const start = (): void => {
    try {
      // Read first: if another folder takes the place meanwhile, the next look finds another identity.
      const identity = readIdentity(path)
      followed = { identity, watcher: watch(path, gather).on('error', lose) }
      isMissed = false
    } catch (error) {
      lose(error)
    }
  }
  /** Returns whether the path leads to another folder than before. A replaced folder reports no further changes. */
  const follow = (): boolean => {
    const wasMissed = isMissed
    if (followed !== null && followed.identity === findIdentity(path)) return false
    stop()
    start()
    return !(wasMissed && isMissed)
  }
  const gather = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      follow()
      onChange(null)
    }, QUIET)
  }
  start()
  const looks = setInterval(() => {
    if (follow()) gather()
  }, INTERVAL)
  signal.addEventListener('abort', () => {
    clearInterval(looks)
    clearTimeout(timer)
    stop()
  })
}

function readIdentity(path: string): string {
  // A new folder may get the inode of a removed one.
  const { dev, ino, birthtimeNs } = statSync(path, { bigint: true })
  return `${dev}/${ino}/${birthtimeNs}`
}

/** Returns `null` if nothing can be read at the path. */
function findIdentity(path: string): string | null {
  try {
    return readIdentity(path)
  } catch {
    return null
  }
}
