/** Batches concurrent calls, because one transaction for many calls takes as long as one for a single call. */

interface Waiting<Call, Answer> {
  readonly call: Call
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** How long the first call waits for others to join its batch, in milliseconds. */
const PAUSE = 2

/** `carryOut` returns one answer per call, in order. If it throws, every call of the batch rejects. */
export function batchCalls<Call, Answer>(
  carryOut: (calls: readonly Call[]) => readonly Answer[],
): (call: Call) => Promise<Answer> {
  let waiting: Waiting<Call, Answer>[] = []
  const flush = (): void => {
    const all = waiting
    waiting = []
    try {
      const answers = carryOut(all.map(({ call }) => call))
      for (const [index, answer] of answers.entries()) all[index]?.resolve(answer)
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }
  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject })
      if (waiting.length === 1) setTimeout(flush, PAUSE)
    })
}
