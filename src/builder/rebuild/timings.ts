/** Measures the stages of a rebuild. */

type Stage = 'read' | 'check' | 'plan' | 'photos' | 'compile' | 'render' | 'finish'

export interface StageTime {
  readonly stage: Stage
  readonly ms: number
}

export interface Timings {
  /**
   * Ends a stage. The first stage began when the timings were created, each later one at the end of the stage before
   * it.
   */
  end(stage: Stage): void
  read(): readonly StageTime[]
}

/** `now` returns milliseconds. */
export function createTimings(now: () => number): Timings {
  const times: StageTime[] = []
  let last = now()
  return {
    end: (stage) => {
      const time = now()
      times.push({ stage, ms: time - last })
      last = time
    },
    read: () => times,
  }
}
