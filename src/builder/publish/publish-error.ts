/** Errors of a publish that did nothing, whose result is uncertain, or that failed after the new version went live. */
import { readMessage } from '../../domain/documents/errors.ts'

export class PublishError extends Error {
  override readonly name = 'PublishError'
}

/**
 * The publish was refused or is incomplete, or its result is unknown. The reason is not a fault in the built data.
 * Therefore, in lane `objects`, the data may still be delivered to the live version.
 */
export class DeliverableError extends PublishError {}

/** Nothing was published, because publishing is held. */
export class HeldError extends DeliverableError {}

/** Nothing was published, because the state may be older than the live site. */
export class OlderError extends DeliverableError {}

/** Returns the error's message, ending with a full stop unless it ends with `!` or `?`. */
export function readSentence(error: unknown): string {
  const text = readMessage(error)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
