/** What is to happen to a run of the command. It travels in an environment variable that only the proofs read. */

export const STRIKE = 'VITRINA_PROVE_STRIKE'

/** `steps`: what changes files, and ends of transactions; `changes`: each statement that changes something too; `calls`: reads too. */
export type Counts = 'steps' | 'changes' | 'calls'

export interface Strike {
  /** Which operation is struck, from 1; 0: none. */
  readonly at: number
  readonly action: 'kill' | 'kill half-way' | 'fail'
  /** From then on everything fails. */
  readonly isLasting: boolean
  readonly counts: Counts
  /** The file that is told the operations of a run that comes to its end. */
  readonly trace: string | null
  /** Takes the place of a compile's result. */
  readonly compiled: string | null
}

export const NO_STRIKE: Strike = {
  at: 0,
  action: 'kill',
  isLasting: false,
  counts: 'steps',
  trace: null,
  compiled: null,
}
