/** Limits of time (`AbortSignal.timeout`) that pass when a test says so, however long its machine takes. */
import { onTestFinished, vi } from 'vitest'

export interface Limits {
  /** Milliseconds that passed in this way. */
  readonly passed: number
  /** Moves the clock to the end of each limit that has begun. */
  pass(): void
}

/** Until the end of the test. */
export function replaceLimits(): Limits {
  const pending: { readonly end: number; readonly controller: AbortController }[] = []
  const begin = performance.now()
  let passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => begin + passed)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    pending.push({ end: passed + ms, controller })
    return controller.signal
  })
  onTestFinished(() => void vi.restoreAllMocks())
  return {
    get passed() {
      return passed
    },
    pass: () => {
      for (const { end, controller } of pending.splice(0).sort((a, b) => a.end - b.end)) {
        passed = Math.max(passed, end)
        controller.abort(new DOMException('the limit has passed', 'TimeoutError'))
      }
    },
  }
}
