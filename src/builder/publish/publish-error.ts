/** The error of a publish that did nothing, or whose result is uncertain. */
import { readMessage } from '../../domain/documents/errors.ts'

export class PublishError extends Error {
  override readonly name = 'PublishError'
}

/** Publishing is held, so that nothing was published. */
export class HeldError extends PublishError {}

/**
 * Nothing is known to have gone live, for a reason outside of what was built: in lane `objects` its data may be delivered to
 * the version that is live.
 */
export class UnpublishedError extends PublishError {}

/** The state may be older than the live site. */
export class OlderError extends UnpublishedError {}

/** Returns the message with a full stop. */
export function readSentence(error: unknown): string {
  const text = readMessage(error)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
