/** Bounds the memory of decoding: pictures are started in order, within a limit on the pixels in progress. */

/** Runs work on a photo when earlier photos have started and its pixels fit into the budget. */
export type LimitPixels = <T>(pixels: number, work: () => Promise<T>) => Promise<T>

interface PixelBudget {
  /** Max pixels in progress at once. A photo with more is processed alone. */
  readonly pixels: number
  /** Max photos in progress at once. */
  readonly width: number
}

export function createPixelBudget(most: PixelBudget): LimitPixels {
  const waiting: { readonly pixels: number; readonly start: () => void }[] = []
  const held = { pixels: 0, width: 0 }
  const startNext = (): void => {
    for (;;) {
      const [next] = waiting
      if (next === undefined || held.width === most.width) return
      if (held.width > 0 && held.pixels + next.pixels > most.pixels) return
      waiting.shift()
      held.pixels += next.pixels
      held.width += 1
      next.start()
    }
  }
  return async (pixels, work) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push({ pixels, start: resolve })
    startNext()
    await promise
    try {
      return await work()
    } finally {
      held.pixels -= pixels
      held.width -= 1
      startNext()
    }
  }
}
