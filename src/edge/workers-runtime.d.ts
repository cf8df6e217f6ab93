/** The parts of the Workers runtime that this project uses. The official types would replace the browser's globals. */
declare module 'cloudflare:workers' {
  interface Alarms {
    getAlarm(): Promise<number | null>
    setAlarm(time: number): Promise<void>
    deleteAlarm(): Promise<void>
  }

  interface SqlStorage {
    exec(query: string, ...bindings: readonly (string | number)[]): { toArray(): readonly unknown[] }
  }

  export interface DurableObjectState {
    readonly storage: Alarms & {
      readonly sql: SqlStorage
      /** Rolls back when `work` throws. */
      transactionSync<Result>(work: () => Result): Result
    }
    /** Delivers no other event until `work` has settled. */
    blockConcurrencyWhile(work: () => Promise<void>): Promise<void>
    /** Keeps the object alive until `work` has settled. */
    waitUntil(work: Promise<void>): void
  }

  export abstract class DurableObject<Environment> {
    protected readonly ctx: DurableObjectState
    protected readonly env: Environment
    constructor(ctx: DurableObjectState, env: Environment)
  }

  /** A binding whose stubs call the object's methods remotely. */
  export interface Namespace<Remote> {
    getByName(name: string): Remote
  }
}
