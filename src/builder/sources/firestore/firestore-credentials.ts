/** Checks the key file before Google's library reads it, because the errors of that library may quote the key. */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readField } from '../../../domain/documents/document.ts'
import { parseJson } from '../../../domain/documents/json.ts'
import { SourceError } from '../source.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

const NEXT = 'download a new key of a service account and name its file in GOOGLE_APPLICATION_CREDENTIALS'

/**
 * Throws a `SourceError` if the key file cannot be used. The error describes the fault and quotes nothing from the
 * file. Checks the key itself only if its type is `service_account`.
 */
export function checkCredentials(file: string): void {
  const key = parseJson(readKey(file))
  if (key === undefined) throw refuse(file, 'is not JSON')
  const type = readField(key, 'type')
  if (typeof type !== 'string') throw refuse(file, 'has no type, so it is not a key file')
  if (type !== 'service_account') return
  if (typeof readField(key, 'client_email') !== 'string') throw refuse(file, 'has no client_email')
  if (!isPrivateKey(readField(key, 'private_key'))) throw refuse(file, 'has no valid private_key')
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw refuse(file, `cannot be read (${readMessage(error)})`)
  }
}

function isPrivateKey(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    createPrivateKey(value)
    return true
  } catch {
    return false
  }
}

// Sets no `cause`, because the message of a parse error may quote the key file.
function refuse(file: string, reason: string): SourceError {
  return new SourceError(
    `cannot read Firestore: the file of GOOGLE_APPLICATION_CREDENTIALS, ${file}, ${reason}: ${NEXT}`,
  )
}
