/** The fault injected into a run of the command, passed in environment variables that only the proofs read. */

export const FAULT_VARIABLE = 'VITRINA_PROVE_FAULT'

/** The id of the machine's boot that a run finds, in place of the real one. */
export const BOOT_VARIABLE = 'VITRINA_BOOT_ID'

/**
 * Operations that are counted. `steps`: changes of files and ends of transactions; `changes`: also each changing
 * statement; `calls`: also reads.
 */
export type CountedOperations = 'steps' | 'changes' | 'calls'

export interface InjectedFault {
  /** The number of the operation that fails, from 1; 0 for none. */
  readonly at: number
  readonly action: 'kill' | 'kill half-way' | 'fail'
  /** Whether every later operation fails too. */
  readonly isLasting: boolean
  readonly counts: CountedOperations
  /** A file to which a run that ends writes its operations. */
  readonly trace: string | null
  /** A folder that replaces the result of a compile. */
  readonly compiled: string | null
}

export const NO_FAULT: InjectedFault = {
  at: 0,
  action: 'kill',
  isLasting: false,
  counts: 'steps',
  trace: null,
  compiled: null,
}
