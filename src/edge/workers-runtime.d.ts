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

  /** A bucket of R2. Source: https://developers.cloudflare.com/r2/api/workers/workers-api-reference/ */
  export interface R2Bucket {
    head(key: string): Promise<R2Object | null>
    get(key: string): Promise<R2Body | null>
    /** Returns `null` if the condition `onlyIf` does not hold. */
    put(key: string, value: Uint8Array, options: R2PutOptions): Promise<R2Object | null>
    list(
      options: R2ListOptions,
    ): Promise<{ readonly objects: readonly R2Object[]; readonly truncated: boolean }>
  }

  export interface R2Object {
    readonly key: string
    /** Without quotes. */
    readonly etag: string
    /** In bytes. */
    readonly size: number
    readonly customMetadata?: Readonly<Record<string, string>>
  }

  export interface R2Body extends R2Object {
    readonly body: ReadableStream<Uint8Array>
    arrayBuffer(): Promise<ArrayBuffer>
  }

  export interface R2PutOptions {
    readonly onlyIf: { readonly etagMatches: string } | { readonly etagDoesNotMatch: string }
    readonly customMetadata: Readonly<Record<string, string>>
  }

  export interface R2ListOptions {
    readonly prefix: string
    readonly limit: number
    readonly include: readonly 'customMetadata'[]
    /** Lists only keys after this one. */
    readonly startAfter?: string
  }
}
