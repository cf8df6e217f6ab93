/** Limits of time (`AbortSignal.timeout`) that pass when a test says so, however long its machine takes. */
import { onTestFinished, vi } from 'vitest'

export interface Limits {
  /** Milliseconds that passed in this way. */
  readonly passed: number
  /** Moves the clock by this time. Limits that end meanwhile pass, also those of earlier calls and tests. */
  pass(ms: number): void
}

/** Until the end of the test. */
export function replaceLimits(): Limits {
  let pending: readonly { readonly end: number; readonly controller: AbortController }[] = []
  // A whole number, so that limits end exactly when their time has passed.
  const begin = Math.ceil(performance.now())
  let passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => begin + passed)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    pending = [...pending, { end: passed + ms, controller }]
    return controller.signal
  })
  onTestFinished(() => void vi.restoreAllMocks())
  return {
    get passed() {
      return passed
    },
    pass: (ms) => {
      passed += ms
      const over = pending.filter(({ end }) => end <= passed)
      pending = pending.filter(({ end }) => end > passed)
      for (const { controller } of over)
        controller.abort(new DOMException('the limit has passed', 'TimeoutError'))
    },
  }
}
