/**
 * Declares the parts of the Workers runtime that this project uses. The official types are not used, because they would
 * replace the browser's globals, which other code here needs.
 */
declare module 'cloudflare:workers' {
  interface Alarms {
    getAlarm(): Promise<number | null>
    setAlarm(time: number): Promise<void>
    deleteAlarm(): Promise<void>
  }

  interface SqlStorage {
    exec(
      query: string,
      ...bindings: readonly (string | number)[]
    ): {
      toArray(): readonly unknown[]
      /**
       * Number of written rows, including index entries. Final once all rows of the result have been read. Absent
       * outside the Workers runtime.
       */
      readonly rowsWritten?: number
      readonly rowsRead?: number
    }
  }

  export interface DurableObjectState {
    readonly storage: Alarms & {
      readonly sql: SqlStorage
      /** Rolls back when `work` throws. */
      transactionSync<Result>(work: () => Result): Result
    }
    /** Delivers no other event to the Durable Object until `work` has settled. */
    blockConcurrencyWhile(work: () => Promise<void>): Promise<void>
    /** Keeps the Durable Object alive until `work` has settled. */
    waitUntil(work: Promise<void>): void
  }

  export abstract class DurableObject<Environment> {
    protected readonly ctx: DurableObjectState
    protected readonly env: Environment
    constructor(ctx: DurableObjectState, env: Environment)
  }

  /**
   * A binding to a class of Durable Objects. `getByName` returns a stub: each method of the stub remotely calls the
   * method of the same name of the Durable Object.
   */
  export interface Namespace<Remote> {
    getByName(name: string): Remote
  }

  /** Counts calls for each key, separately in each data centre. */
  export interface RateLimit {
    limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>
  }
}

/** Passes on exactly this number of bytes, so that their reader knows the length. Other numbers are errors. */
declare class FixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(length: number)
}
