/** Limits of time (`AbortSignal.timeout`) that pass when a test says so, however long its machine takes. */
import { onTestFinished, vi } from 'vitest'

export interface Limits {
  /** Milliseconds that passed in this way. */
  readonly passed: number
  /** Moves the clock to the end of the limit that ends first. */
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
      const [first] = pending.sort((a, b) => a.end - b.end).splice(0, 1)
      if (first === undefined) throw new Error('nothing has a limit')
      passed = Math.max(passed, first.end)
      first.controller.abort(new DOMException('the limit has passed', 'TimeoutError'))
    },
  }
}
