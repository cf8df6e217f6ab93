/** Follows a folder of documents and reports changes of its files. */
import type { FSWatcher } from 'node:fs'
import { statSync, watch } from 'node:fs'
import { formatIdentity } from '../embedded/file-stamp.ts'
import type { Watcher } from '../source.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

/** Milliseconds without a change after which a file counts as completely written. */
const QUIET = 50
/** Milliseconds between two checks whether another folder is now at the path. */
const INTERVAL = 1_000

interface Followed {
  readonly identity: string
  readonly watcher: FSWatcher
}

/** Continues while the folder is missing, and after another folder has replaced it. */
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
      // The identity is read first. If the folder is replaced before `watch`, the next check finds another identity.
      const identity = readIdentity(path)
      followed = { identity, watcher: watch(path, gather).on('error', lose) }
      isMissed = false
    } catch (error) {
      lose(error)
    }
  }
  /**
   * Returns true if the folder was replaced, removed or created, and then watches the folder that is now at the path:
   * the watcher of a replaced folder reports no further changes.
   */
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
  return formatIdentity(statSync(path, { bigint: true }))
}

/** Returns `null` if the path cannot be read. */
function findIdentity(path: string): string | null {
  try {
    return readIdentity(path)
  } catch {
    return null
  }
}
