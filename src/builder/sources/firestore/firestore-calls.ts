/**
 * Stands between the Firestore client and the network: says how long calls may fail or stay silent, and ends those
 * that are under way when the source is closed. It knows the shapes of grpc-js, which it is handed, and imports none.
 */

/** In milliseconds. */
export interface Patience {
  /** How long calls may go on failing before the read is given up. */
  readonly failing: number
  /** How long the next message of an answer may take. */
  readonly silence: number
}

interface Status {
  readonly code: number
  readonly details: string
  readonly metadata: unknown
}

interface Listener {
  onReceiveMetadata(metadata: unknown): void
  onReceiveMessage(message: unknown): void
  onReceiveStatus(status: Status): void
}

interface Call {
  start(metadata: unknown, listener: Listener): void
  startRead(): void
  cancelWithStatus(code: number, details: string): void
}

type Interceptor = (options: unknown, next: (options: unknown) => Call) => Call

interface CallProperties {
  readonly callOptions: object
}

// Source: https://grpc.io/docs/guides/status-codes/
const CANCELLED = 1
const UNKNOWN = 2
const DEADLINE_EXCEEDED = 4
export const UNAVAILABLE = 14
const MAY_PASS: ReadonlyMap<number, string> = new Map([
  [DEADLINE_EXCEEDED, 'DEADLINE_EXCEEDED'],
  [8, 'RESOURCE_EXHAUSTED'],
  [10, 'ABORTED'],
  [13, 'INTERNAL'],
  [UNAVAILABLE, 'UNAVAILABLE'],
])

export class Calls {
  readonly #patience: Patience
  readonly #live = new Set<Call>()
  #failingSince: number | null = null
  #isClosed = false

  constructor(patience: Patience) {
    this.#patience = patience
  }

  /** For the client's option `grpc.callInvocationTransformer`. */
  readonly transform = (properties: CallProperties): CallProperties => ({
    ...properties,
    callOptions: { ...properties.callOptions, interceptors: [this.#intercept] },
  })

  /** Ends all calls, also those that the client begins later. Else one that is not read to its end keeps the process alive. */
  close(): void {
    this.#isClosed = true
    for (const call of this.#live) end(call)
  }

  readonly #intercept: Interceptor = (options, next) => {
    const call = next(options)
    const start = call.start.bind(call)
    const startRead = call.startRead.bind(call)
    const watch = new Watch(call, this.#patience.silence)
    call.start = (metadata, listener) => {
      this.#live.add(call)
      start(metadata, this.#listen(call, watch, listener))
      if (this.#isClosed) end(call)
    }
    call.startRead = () => {
      watch.expect()
      startRead()
    }
    return call
  }

  #listen(call: Call, watch: Watch, listener: Listener): Listener {
    let isAnswered = false
    return {
      onReceiveMetadata: (metadata) => {
        isAnswered = true
        listener.onReceiveMetadata(metadata)
      },
      onReceiveMessage: (message) => {
        this.#failingSince = null
        watch.rest()
        listener.onReceiveMessage(message)
      },
      onReceiveStatus: (status) => {
        this.#live.delete(call)
        watch.rest()
        // Without an answer, google-gax would repeat even what cannot pass, twice and seconds apart.
        if (!isAnswered) listener.onReceiveMetadata(status.metadata)
        listener.onReceiveStatus(this.#steer(status))
      },
    }
  }

  // The client repeats `UNAVAILABLE`, up to five times with growing, jittered delays, and goes on after the last
  // document of a query; at `UNKNOWN` it stops. So the code decides, and the text keeps what really happened.
  #steer(status: Status): Status {
    const name = MAY_PASS.get(status.code)
    if (name === undefined) return status
    const now = Date.now()
    this.#failingSince ??= now
    const isOver = this.#isClosed || now - this.#failingSince >= this.#patience.failing
    return { ...status, code: isOver ? UNKNOWN : UNAVAILABLE, details: `${name}: ${status.details}` }
  }
}

/** Ends a call whose next message, once asked for, does not come. */
class Watch {
  readonly #call: Call
  readonly #silence: number
  #timer: NodeJS.Timeout | undefined

  constructor(call: Call, silence: number) {
    this.#call = call
    this.#silence = silence
  }

  expect(): void {
    clearTimeout(this.#timer)
    const reason = `no answer for ${this.#silence / 1000} s`
    this.#timer = setTimeout(() => this.#call.cancelWithStatus(DEADLINE_EXCEEDED, reason), this.#silence)
  }

  rest(): void {
    clearTimeout(this.#timer)
  }
}

function end(call: Call): void {
  call.cancelWithStatus(CANCELLED, 'the source was closed')
}
