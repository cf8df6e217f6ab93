/** Verifies a message as its receivers do. */
import { findSigner, readEnvelope } from '../../../src/domain/wire/signature.ts'

/** Returns the message's id; `null` if none of the secrets signed it. */
export async function verifyMessage(
  secrets: readonly string[],
  headers: Headers | Readonly<Record<string, unknown>>,
  body: Uint8Array | string,
): Promise<string | null> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const all = headers instanceof Headers ? headers : new Headers(headers as Record<string, string>)
  const envelope = readEnvelope(all)
  return envelope === null || (await findSigner(secrets, envelope, bytes)) === null ? null : envelope.id
}
