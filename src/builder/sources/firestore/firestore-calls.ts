/**
 * Intercepts the calls of the Firestore client: limits how long they may fail or stay silent, and cancels running calls
 * when the source is closed. Declares the types of grpc-js that it uses, because grpc-js is only a development
 * dependency.
 */

/** In milliseconds. */
export interface Patience {
  /** Time that calls may keep failing before the read fails. */
  readonly failing: number
  /** Maximum wait for the next message of a response. */
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

interface Calls {
  /** For the client's option `grpc.callInvocationTransformer`. */
  transform(properties: CallProperties): CallProperties
  /** Ends every call, including those that begin later: a call that is not read to its end keeps the process alive. */
  close(): void
}

export function createCalls(patience: Patience): Calls {
  const live = new Set<Call>()
  const steering = createSteering(patience.failing)
  const intercept: Interceptor = (options, next) => {
    const call = next(options)
    const start = call.start.bind(call)
    const startRead = call.startRead.bind(call)
    const silence = createSilenceTimer(call, patience.silence)
    const leave = (): void => void live.delete(call)
    call.start = (metadata, listener) => {
      live.add(call)
      start(metadata, watchAnswers(listener, { silence, steering, leave }))
      if (steering.isClosed()) end(call)
    }
    call.startRead = () => {
      silence.start()
      startRead()
    }
    return call
  }
  return {
    transform: (properties) => ({
      ...properties,
      callOptions: { ...properties.callOptions, interceptors: [intercept] },
    }),
    close: () => {
      steering.close()
      for (const call of live) end(call)
    },
  }
}

interface Watching {
  readonly silence: SilenceTimer
  readonly steering: Steering
  /** Removes the call from the set of running calls. */
  readonly leave: () => void
}

function watchAnswers(listener: Listener, { silence, steering, leave }: Watching): Listener {
  let isAnswered = false
  return {
    onReceiveMetadata: (metadata) => {
      isAnswered = true
      listener.onReceiveMetadata(metadata)
    },
    onReceiveMessage: (message) => {
      steering.succeed()
      silence.stop()
      listener.onReceiveMessage(message)
    },
    onReceiveStatus: (status) => {
      leave()
      silence.stop()
      // If the response had no metadata, passes on the metadata of the status, because google-gax retries even
      // permanent failures when it has received no metadata.
      if (!isAnswered) listener.onReceiveMetadata(status.metadata)
      listener.onReceiveStatus(steering.steer(status))
    },
  }
}

interface Steering {
  succeed(): void
  /** Replaces the code of a temporary failure, so that the client retries the call or gives up. */
  steer(status: Status): Status
  close(): void
  isClosed(): boolean
}

// Replaces the code of a temporary failure by `UNAVAILABLE`. The client then retries the call up to five times with
// growing, jittered delays, and continues a query after the last document that it received. Once calls have failed for
// `failing` milliseconds, or after `close`, uses `UNKNOWN` instead, after which the client gives up. `details` keeps
// the original code.
function createSteering(failing: number): Steering {
  let failingSince: number | null = null
  let isClosed = false
  return {
    succeed: () => void (failingSince = null),
    steer: (status) => {
      const name = MAY_PASS.get(status.code)
      if (name === undefined) return status
      const now = Date.now()
      failingSince ??= now
      const isOver = isClosed || now - failingSince >= failing
      return { ...status, code: isOver ? UNKNOWN : UNAVAILABLE, details: `${name}: ${status.details}` }
    },
    close: () => void (isClosed = true),
    isClosed: () => isClosed,
  }
}

interface SilenceTimer {
  start(): void
  stop(): void
}

/** Cancels the call when no message arrives within `silence` milliseconds of `start`. */
function createSilenceTimer(call: Call, silence: number): SilenceTimer {
  let timer: NodeJS.Timeout | undefined
  const cancel = (): void => call.cancelWithStatus(DEADLINE_EXCEEDED, `no answer for ${silence / 1000} s`)
  return {
    start: () => {
      clearTimeout(timer)
      timer = setTimeout(cancel, silence)
    },
    stop: () => clearTimeout(timer),
  }
}

function end(call: Call): void {
  call.cancelWithStatus(CANCELLED, 'the source was closed')
}
