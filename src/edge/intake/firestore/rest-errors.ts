/** Turns failures of Firestore's REST API into errors with advice. */
import type { FirestorePlace } from '../../../domain/documents/firestore-advice.ts'
import { createAdvice, formatPlace, hideSecrets } from '../../../domain/documents/firestore-advice.ts'
import { readField } from '../../../domain/documents/document.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { parseRetryAfter } from '../../../domain/wire/backoff.ts'
import type { TroubleKind } from '../seller-source.ts'
import { SourceTrouble } from '../seller-source.ts'

interface RestFailure {
  /**
   * A gRPC status code, such as `ABORTED`, or the HTTP status, such as `HTTP 502`, if no code is known for it. Two
   * codes are this Worker's own: `EXPIRED` (the transaction has ended) and `NO_CREDENTIALS` (the key is missing or
   * invalid).
   */
  readonly code: string
  readonly details: string
  /** In milliseconds; 0 for none. */
  readonly retryAfter: number
}

/** Thrown when a call fails. Has no `cause`, because the original error may quote a token. */
export class RestError extends Error {
  override readonly name = 'RestError'
  readonly failure: RestFailure

  constructor(failure: RestFailure) {
    super(`${failure.code}: ${failure.details}`)
    this.failure = failure
  }
}

const NEXT = createAdvice(
  'the secret FIREBASE_SERVICE_ACCOUNT',
  "put a service account's key file into the secret FIREBASE_SERVICE_ACCOUNT",
)

const KINDS: ReadonlyMap<string, TroubleKind> = new Map([
  ['INVALID_ARGUMENT', 'missing'],
  ['NOT_FOUND', 'missing'],
  ['FAILED_PRECONDITION', 'missing'],
  ['PERMISSION_DENIED', 'denied'],
  ['UNAUTHENTICATED', 'denied'],
  ['NO_CREDENTIALS', 'denied'],
  ['RESOURCE_EXHAUSTED', 'busy'],
])

/** Codes for responses that contain none. Source: https://cloud.google.com/apis/design/errors#handling_errors */
const CODES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

/**
 * Codes of failures after which an immediate retry often succeeds. Timeouts are not included, because a retry would
 * probably take as long.
 */
const PASSING = new Set(['ABORTED', 'INTERNAL', 'UNAVAILABLE', 'EXPIRED'])

const LONGEST_DETAILS = 200
const LONGEST_PAUSE = 60 * 60_000

/** `body` is the parsed body of a response. If it is a list of stream elements, the error is read from the last one. */
export function readFailure(
  answer: { readonly status: number; readonly headers: Headers },
  body: unknown,
): RestFailure {
  const error = readField(Array.isArray(body) ? body.at(-1) : body, 'error')
  const [code, told] = [readField(error, 'status'), readField(error, 'message')]
  const details = typeof told === 'string' ? shorten(told) : ''
  const status = readField(error, 'code')
  const known = CODES[typeof status === 'number' ? status : answer.status] ?? `HTTP ${answer.status}`
  const named = typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : known
  return {
    code: isExpiry(named, details) ? 'EXPIRED' : named,
    details: details === '' ? `HTTP status ${answer.status}` : details,
    retryAfter: Math.min(parseRetryAfter(answer.headers.get('retry-after'), Date.now()) ?? 0, LONGEST_PAUSE),
  }
}

/** Returns whether an immediate retry of the read may succeed. */
export function mayPassAtOnce(error: unknown): boolean {
  return error instanceof RestError && PASSING.has(error.failure.code)
}

/**
 * Turns a `RestError` into a `SourceTrouble` with advice. Errors of other classes are bugs in this code, and are
 * returned unchanged.
 */
export function explainRest(place: FirestorePlace, error: unknown): unknown {
  if (!(error instanceof RestError)) return error
  const { code, details, retryAfter } = error.failure
  const next = NEXT.get(code) ?? adviseConnection(place)
  const kind = KINDS.get(code) ?? 'unavailable'
  return new SourceTrouble(
    kind,
    `cannot read ${formatPlace(place)} (${code}: ${details}): ${next}`,
    retryAfter,
  )
}

function adviseConnection({ emulatorHost }: FirestorePlace): string {
  return emulatorHost === null
    ? 'the read is retried; if the failure lasts, see https://status.cloud.google.com'
    : `check that an emulator runs at ${emulatorHost}`
}

function isExpiry(code: string, details: string): boolean {
  return code === 'INVALID_ARGUMENT' && /transaction (?:has expired|is no longer valid)/i.test(details)
}

function shorten(text: string): string {
  const line = cleanText(hideSecrets(text))
  return line.length <= LONGEST_DETAILS ? line : `${line.slice(0, LONGEST_DETAILS - 1).toWellFormed()}…`
}
