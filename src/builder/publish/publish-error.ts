/** Errors of a publish that did nothing, whose result is uncertain, or that failed after the new version went live. */
import { readMessage } from '../../domain/documents/errors.ts'

export class PublishError extends Error {
  override readonly name = 'PublishError'
}

/** Returns the error's message, ending with a full stop unless it ends with `!` or `?`. */
export function readSentence(error: unknown): string {
  const text = readMessage(error)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
