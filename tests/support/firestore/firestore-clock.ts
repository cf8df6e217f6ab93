/** The clock of Firestore's client. Its delays between the tries of a call take no time, and the clock moves on by them. */
import { createRequire } from 'node:module'
import { afterEach, beforeEach, vi } from 'vitest'
import { fileURLToPath } from 'node:url'

type Delay = (work: () => void, ms: number) => void

// The client's own hook for tests, which the package does not export.
const BACKOFF = new URL('../../../node_modules/@google-cloud/firestore/build/src/backoff.js', import.meta.url)
const { setTimeoutHandler }: { readonly setTimeoutHandler: (delay: Delay) => void } = createRequire(
  import.meta.url,
)(fileURLToPath(BACKOFF))

export interface FirestoreClock {
  /** Called at the beginning of each delay. */
  onDelay: () => void
}

/** Call it at the top of a test file. */
export function useFirestoreClock(): FirestoreClock {
  const clock: FirestoreClock = { onDelay: () => {} }
  beforeEach(() => {
    let now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => now)
    setTimeoutHandler((work, ms) => {
      now += ms
      clock.onDelay()
      setImmediate(work)
    })
  })
  afterEach(() => {
    clock.onDelay = () => {}
    setTimeoutHandler(setTimeout)
    vi.restoreAllMocks()
  })
  return clock
}
