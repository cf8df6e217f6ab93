/** The fault injected into a run of the command, passed in environment variables that only the proofs read. */

export const FAULT_VARIABLE = 'VITRINA_PROVE_FAULT'

/** Variable with the boot id that a run finds instead of the machine's real one. */
export const BOOT_VARIABLE = 'VITRINA_BOOT_ID'

/**
 * The operations that are counted. `steps`: changes of files, and statements that make changes durable. `changes`: also
 * all other calls of the database methods `exec` and `run`. `calls`: also reads of databases, and the calls that open a
 * database or prepare a statement.
 */
export type CountedOperations = 'steps' | 'changes' | 'calls'

export interface InjectedFault {
  /** The number of the operation at which the fault occurs, from 1; 0 for none. */
  readonly at: number
  readonly action: 'kill' | 'kill half-way' | 'fail'
  /** Whether every later operation fails too. */
  readonly isLasting: boolean
  readonly counts: CountedOperations
  /** File to which a run writes the names of its operations when it ends; `null` for none. */
  readonly trace: string | null
  /** Folder that is copied instead of compiling; `null` to compile. */
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
