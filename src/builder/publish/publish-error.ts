/** The error of a publish that did nothing, or whose result is uncertain. */

export class PublishError extends Error {
  override readonly name = 'PublishError'
}

/** Publishing is held, so that nothing was published. */
export class HeldError extends PublishError {}

/** Returns the message with a full stop. */
export function readMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
