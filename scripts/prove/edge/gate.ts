/** Asks the story, before each operation, whether the operation succeeds. Runs in Node and in the proof's Worker. */
import type { AskPage, FateVerdict } from './traffic.ts'

export interface Gate {
  /** The story's time at its last answer to this gate. */
  readonly now: () => number
  /**
   * Runs `work`, unless the story decides that the operation fails. Rejects if the operation fails or its answer is
   * lost. Runs one operation at a time.
   */
  pass<Result>(operation: Operation, work: (verdict: FateVerdict) => Promise<Result>): Promise<Result>
  /** Resolves when no operation runs, including operations of unawaited work. */
  drain(): Promise<void>
}

interface Operation {
  readonly operation: string
  readonly target: string
  /**
   * Digest of the data of a put, `null` for a tombstone. Absent for other operations. If present, the gate reports the
   * result of the put to the story: the new tag, or `null` if the put was rejected.
   */
  readonly digest?: string | null
}

export function createGate(ask: AskPage, start: number): Gate {
  let now = start
  let last: Promise<unknown> = Promise.resolve()
  let begun = 0
  const pass = async <Result>(
    { operation, target, digest }: Operation,
    work: (verdict: FateVerdict) => Promise<Result>,
  ): Promise<Result> => {
    const fail = (): Error => new Error(`the operation "${operation}" (on ${target}) fails in this story`)
    const verdict = await ask({ phase: 'before', operation, target })
    now = verdict.now
    if (verdict.fate === 'failed') throw fail()
    const result = await work(verdict)
    if (digest !== undefined)
      await ask({ phase: 'done', operation, target, tag: result as string | null, digest })
    if (verdict.fate === 'unheard') throw fail()
    if (verdict.fate !== 'slow') return result
    const answer = await ask({ phase: 'answer', operation, target })
    now = answer.now
    if (answer.fate === 'failed' || answer.fate === 'unheard') throw fail()
    return result
  }
  return {
    now: () => now,
    pass: (operation, work) => {
      const result = last.then(() => pass(operation, work))
      begun += 1
      last = result.catch(() => {})
      return result
    },
    drain: async () => {
      for (let before = -1; before !== begun;) {
        before = begun
        await last
        // Lets the code that awaited the operation run before the next check, because that code may begin another
        // operation.
        if (before > 0) await new Promise((resolve) => void setTimeout(resolve))
      }
    },
  }
}
