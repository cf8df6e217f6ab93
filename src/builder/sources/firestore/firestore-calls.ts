/**
 * Intercepts the calls of the Firestore client, so that they can be ended: a call that is not read to its end keeps the
 * process alive. Declares the types of grpc-js that it uses, because grpc-js is only a development dependency.
 */
import { GrpcStatus } from 'firebase-admin/firestore'

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
  cancelWithStatus(code: number, details: string): void
}

/** The client does not repeat a call that ended with `UNKNOWN`. */
const { OK, UNKNOWN } = GrpcStatus

/**
 * `transform` is for the client's option `grpc.callInvocationTransformer`. `end` ends every call, also those that begin
 * later. `readFailure` returns how the last call that ended failed, as `UNAVAILABLE: details`, or null: the client
 * repeats some failures for up to 12 s, and says nothing meanwhile.
 */
export function createCalls() {
  const live = new Set<Call>()
  let isEnded = false
  let failure: string | null = null
  const end = (call: Call): void => call.cancelWithStatus(UNKNOWN, 'the source was closed')
  const intercept = (options: unknown, next: (options: unknown) => Call): Call => {
    const call = next(options)
    const start = call.start.bind(call)
    let isAnswered = false
    call.start = (metadata, listener) => {
      live.add(call)
      start(metadata, {
        onReceiveMetadata: (answer) => {
          isAnswered = true
          listener.onReceiveMetadata(answer)
        },
        onReceiveMessage: (message) => listener.onReceiveMessage(message),
        onReceiveStatus: (status) => {
          live.delete(call)
          if (!isEnded) failure = status.code === OK ? null : `${GrpcStatus[status.code]}: ${status.details}`
          // Without metadata, google-gax repeats the call even after a permanent failure.
          if (!isAnswered) listener.onReceiveMetadata(status.metadata)
          listener.onReceiveStatus(isEnded ? { ...status, code: UNKNOWN } : status)
        },
      })
      if (isEnded) end(call)
    }
    return call
  }
  return {
    transform: ({ callOptions, ...properties }: { readonly callOptions: object }): object => ({
      ...properties,
      callOptions: { ...callOptions, interceptors: [intercept] },
    }),
    readFailure: (): string | null => failure,
    end: (): void => {
      isEnded = true
      for (const call of live) end(call)
    },
  }
}
