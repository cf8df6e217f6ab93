/** Calls methods of Firestore's REST API, with limits on time and size. */
import type { FirestorePlace } from '../../../domain/documents/firestore-advice.ts'
import { parseJson } from '../../../domain/documents/json.ts'
import { RestError, readFailure } from './rest-errors.ts'
import { forgetToken, readToken } from './service-key.ts'

export interface RestOptions extends FirestorePlace {
  /** The content of a service account's key file. May be `null` for an emulator, which needs no key. */
  readonly serviceAccount: string | null
  readonly patience?: Partial<Patience>
  readonly fetch?: typeof fetch
}

/** In milliseconds. */
interface Patience {
  /** Max wait for the head of a response, and for each part of its body. */
  readonly silence: number
  /** Max time for reading one seller. */
  readonly whole: number
}

const PATIENCE: Patience = { silence: 10_000, whole: 30_000 }

export interface RestCall {
  readonly method: 'batchGet' | 'runQuery'
  readonly body: object
  /** Receives the number of bytes of each part of the response. If `count` throws, the call rejects with that error. */
  readonly count: (bytes: number) => void
  readonly signal: AbortSignal
}

export interface RestCalls {
  /** Prefix of the names of all documents. */
  readonly root: string
  readonly patience: Patience
  /** Returns the elements of a streamed response. Rejects with a `RestError`, or with the error that `count` throws. */
  send(call: RestCall): Promise<readonly unknown[]>
}

export function createRestCalls(options: RestOptions): RestCalls {
  const { projectId, emulatorHost, serviceAccount } = options
  const root = `projects/${projectId}/databases/(default)/documents`
  const patience = { ...PATIENCE, ...options.patience }
  const address = formatAddress(options)
  const request = options.fetch ?? ((input, init) => fetch(input, init))
  return {
    root,
    patience,
    send: async ({ method, body, count, signal }) => {
      const token = emulatorHost === null ? await readToken(serviceAccount) : 'owner'
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      // Redirects are not followed, because a redirect would send the token to another host.
      const init: RequestInit = {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        redirect: 'manual',
      }
      const begin = (stop: AbortSignal) => request(address(method), { ...init, signal: stop })
      return receive(begin, { silence: patience.silence, count, signal })
    },
  }
}

function formatAddress({ projectId, emulatorHost }: RestOptions): (method: string) => string {
  const path = `/v1/projects/${encodeURIComponent(projectId)}/databases/(default)/documents`
  return emulatorHost === null
    ? (method) => `https://firestore.googleapis.com${path}:${method}?prettyPrint=false`
    : (method) => `http://${emulatorHost}${path}:${method}`
}

interface Receiving extends Pick<RestCall, 'count' | 'signal'> {
  readonly silence: number
}

type Begin = (stop: AbortSignal) => Promise<Response>

async function receive(begin: Begin, receiving: Receiving): Promise<readonly unknown[]> {
  const watch = createWatch(receiving)
  try {
    const response = await watch.wait(() => begin(watch.stop.signal))
    const text = await readText(response, watch, receiving.count)
    return parseAnswer(response, text)
  } finally {
    watch.end()
  }
}

function parseAnswer(response: Response, text: string): readonly unknown[] {
  const body = parseJson(text)
  const last: unknown = Array.isArray(body) ? body.at(-1) : undefined
  const isBroken = typeof last === 'object' && last !== null && 'error' in last
  if (response.ok && Array.isArray(body) && !isBroken) return body
  const failure = readFailure(response, body)
  if (failure.code === 'UNAUTHENTICATED') forgetToken()
  if (response.ok && !isBroken) throw fail('UNAVAILABLE', 'the response is incomplete')
  throw new RestError(failure)
}

async function readText(response: Response, watch: Watch, count: (bytes: number) => void): Promise<string> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let text = ''
  for (;;) {
    const part = await watch.wait(async () => reader?.read())
    if (part?.value === undefined) return text + decoder.decode()
    count(part.value.length)
    text += decoder.decode(part.value, { stream: true })
  }
}

interface Watch {
  /** Aborts the request. */
  readonly stop: AbortController
  /** Rejects with a `RestError` if `work` fails or takes too long. */
  wait<T>(work: () => Promise<T>): Promise<T>
  /** Must be called last: aborts the rest of the response, and removes the listener from the caller's `signal`. */
  end(): void
}

function createWatch({ silence, signal }: Receiving): Watch {
  const stop = new AbortController()
  const late = Promise.withResolvers<never>()
  // Prevents an unhandled rejection: the promise may reject before anything awaits it.
  late.promise.catch(() => {})
  const giveUp = (details: string): void => late.reject(fail('DEADLINE_EXCEEDED', details))
  const onAbort = (): void => giveUp('reading took too long')
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  return {
    stop,
    wait: async (work) => {
      const timer = setTimeout(() => giveUp(`no answer for ${silence / 1000} s`), silence)
      try {
        return await Promise.race([work().catch(explainBreak), late.promise])
      } finally {
        clearTimeout(timer)
      }
    },
    end: () => {
      signal.removeEventListener('abort', onAbort)
      stop.abort()
    },
  }
}

function explainBreak(): never {
  throw fail('UNAVAILABLE', 'the connection failed or broke')
}

function fail(code: string, details: string): RestError {
  return new RestError({ code, details, retryAfter: 0 })
}
