/** Reads a signed call: its headers first, then its body. */
import type { BodyRoom } from './body-room.ts'
import type { BodyLimits } from './read-body.ts'
import { readBody } from './read-body.ts'
import { findSigner, isHeadSigned, readEnvelope } from './signature.ts'

export interface SignedCall {
  /** A message keeps its id when it is delivered again. */
  readonly id: string
  /** The secret that signed the call; the first one if several secrets signed it. */
  readonly secret: string
  readonly body: Uint8Array
}

interface SignedOptions {
  readonly secrets: readonly string[]
  readonly limits: BodyLimits
  /** Bounds the memory of bodies whose headers are not signed. */
  readonly room: BodyRoom
  /** If true, a call whose headers are not signed is rejected without reading its body. */
  readonly isHeadNeeded?: boolean
}

/** Returns the call, or a status: 401, 413 too large, 408 too slow or interrupted, 503 dropped by `room`. */
export async function readSigned(
  request: Request,
  { secrets, limits, room, isHeadNeeded = false }: SignedOptions,
): Promise<SignedCall | 401 | 408 | 413 | 503> {
  const envelope = readEnvelope(request.headers)
  if (envelope === null) return 401
  const isKnown = await isHeadSigned(secrets, envelope)
  if (!isKnown && isHeadNeeded) return 401
  const body = await readBody(request, limits, isKnown ? null : room)
  if (typeof body === 'number') return body
  const secret = await findSigner(secrets, envelope, body)
  return secret === null ? 401 : { id: envelope.id, secret, body }
}
