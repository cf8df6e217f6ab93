/** Wrong usage or configuration. The message says how to correct it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
