/**
 * The types of the assumptions about services and of the questions that check them, and the questions about sizes and
 * processor time.
 */
import type { Json } from '../../../domain/documents/json.ts'
import type { Environment } from '../command.ts'
import type { Probe } from './probe-client.ts'

export interface AskWorld {
  readonly probe: Probe
  /** Puts another version of the Worker live. */
  readonly switchVersion: () => Promise<void>
  readonly environment: Environment
}

export interface Asked {
  readonly answer: Json
  /** A measurement, such as a duration, in a few words. */
  readonly note?: string
}

export type AskService = (world: AskWorld) => Promise<Asked>

/** A service or setting that a question needs. */
export type Requirement = 'database' | 'files' | 'objects' | 'cache' | 'plan' | 'firestore' | 'dispatch'

export interface Assumption {
  readonly part: Requirement
  /** A sentence without its final period. */
  readonly claim: string
  /** The file whose code relies on the assumption. */
  readonly reliesOn: string
  readonly ask: AskService
  readonly expected: Json
}

/** Number of concurrent writers of one object. */
export const RACERS = 20

export function askObjectSize(what: string, size: number): AskService {
  return async ({ probe }) => ({ answer: await probe.ask('object', { what, size }) })
}

/** Number of integer multiplications that a slow core does in a millisecond. */
const ROUNDS = 400_000
/** Number of requests in a row: Cloudflare tolerates one that exceeds the limit of processor time, but not several. */
const REPEATS = 5

/**
 * Returns a question that makes `REPEATS` requests, one after another. Each computes for about `time` milliseconds on a
 * slow core.
 */
export function askWork(time: number): AskService {
  return async ({ probe }) => {
    let answered = 0
    const start = performance.now()
    for (let count = 0; count < REPEATS; count += 1) {
      const answer = await probe.ask('work', { rounds: time * ROUNDS }).catch(() => null)
      if (answer !== null) answered += 1
    }
    const each = Math.round((performance.now() - start) / REPEATS)
    return { answer: { answered }, note: `mean time of a request: ${each} ms` }
  }
}
