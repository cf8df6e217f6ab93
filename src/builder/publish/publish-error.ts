/** Why nothing was published, or why what was published is not to be relied on. */

export class PublishError extends Error {
  override readonly name = 'PublishError'
}

/** As a sentence that ends. */
export function readMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
