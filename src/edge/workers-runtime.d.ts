/** What this project uses of the Workers runtime, whose types otherwise take the place of the browser's. */
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
      /** Rolled back when it throws. */
      transactionSync<Result>(work: () => Result): Result
    }
    /** Nothing else is delivered until it is done. */
    blockConcurrencyWhile(work: () => Promise<void>): Promise<void>
  }

  export abstract class DurableObject<Environment> {
    protected readonly ctx: DurableObjectState
    protected readonly env: Environment
    constructor(ctx: DurableObjectState, env: Environment)
  }

  /** A method of the object, called from afar. */
  export interface Namespace<Remote> {
    getByName(name: string): Remote
  }
}
