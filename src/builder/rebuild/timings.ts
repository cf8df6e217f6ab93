/** How long each step of a rebuild took. */

export type Step = 'read' | 'check' | 'plan' | 'photos' | 'compile' | 'render' | 'finish'

export interface Lap {
  readonly step: Step
  /** Milliseconds. */
  readonly ms: number
}

export interface Laps {
  /** Ends a step: it lasted from the end of the one before. */
  end(step: Step): void
  read(): readonly Lap[]
}

/** `now` gives milliseconds. */
export function createLaps(now: () => number): Laps {
  const laps: Lap[] = []
  let last = now()
  return {
    end: (step) => {
      const time = now()
      laps.push({ step, ms: time - last })
      last = time
    },
    read: () => laps,
  }
}
