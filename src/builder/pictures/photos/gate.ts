/** Lets so many tasks through at once; the others wait in line. */

export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export function createGate(width: number): Gate {
  const line: (() => void)[] = []
  let free = width
  const enter = (): Promise<void> | void => {
    if (free > 0) free -= 1
    else return new Promise((resolve) => line.push(resolve))
  }
  const leave = (): void => {
    const next = line.shift()
    if (next === undefined) free += 1
    else next()
  }
  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
