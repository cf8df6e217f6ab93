/** Refusals of calls. They reveal nothing useful to a forger. */

export const RETRY_AFTER = '10'

const REASONS = {
  400: 'malformed',
  401: 'unauthorized',
  403: 'a full read needs the secret of builders',
  404: 'not found',
  405: 'use POST',
  408: 'the body took too long',
  413: 'the body is too large',
  415: 'send application/json',
  429: 'too many calls or new sellers, send it again later',
  503: 'the call failed, send it again',
} as const

export function refuse(status: keyof typeof REASONS, headers: Record<string, string> = {}): Response {
  return Response.json({ error: REASONS[status] }, { status, headers })
}
