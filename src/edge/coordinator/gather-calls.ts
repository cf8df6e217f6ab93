/** Calls that come together are carried out together: to store many at once takes as long as to store one. */

interface Waiting<Call, Answer> {
  readonly call: Call
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** In milliseconds: more come while the first ones wait. */
const PAUSE = 2

/** `carryOut` answers each call, in their order; when it throws, none of them was carried out. */
export function gatherCalls<Call, Answer>(
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
