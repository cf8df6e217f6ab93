/**
 * Declares the parts of the Workers runtime that this project uses. The official types are not used, because they would
 * replace the browser's globals, which other code here needs.
 */
declare module 'cloudflare:workers' {
  interface SqlStorage {
    exec(query: string, ...bindings: readonly (string | number | null)[]): { toArray(): readonly unknown[] }
  }

  export interface DurableObjectState {
    readonly storage: {
      getAlarm(): Promise<number | null>
      setAlarm(time: number): Promise<void>
      readonly sql: SqlStorage
      /** Rolls back when `work` throws. */
      transactionSync<Result>(work: () => Result): Result
    }
    /** Keeps the Durable Object alive until `work` has settled. */
    waitUntil(work: Promise<void>): void
    /** Accepts a WebSocket that outlives the object in memory: an idle object may end and costs nothing. */
    acceptWebSocket(socket: WebSocket): void
    getWebSockets(): readonly WebSocket[]
    /** Answers a message of a WebSocket without waking the object. */
    setWebSocketAutoResponse(pair: object): void
  }

  export abstract class DurableObject<Environment> {
    protected readonly ctx: DurableObjectState
    protected readonly env: Environment
    constructor(ctx: DurableObjectState, env: Environment)
    fetch(request: Request): Response | Promise<Response>
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

  global {
    /** Creates the two ends of a WebSocket: the client's, and the server's. */
    const WebSocketPair: new () => { readonly 0: WebSocket; readonly 1: WebSocket }
    const WebSocketRequestResponsePair: new (request: string, response: string) => object
    interface ResponseInit {
      /** The client's end of a WebSocket, with status 101. */
      readonly webSocket?: WebSocket
    }
  }
}

/** Passes on exactly this number of bytes, so that their reader knows the length. Other numbers are errors. */
declare class FixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(length: number)
}
