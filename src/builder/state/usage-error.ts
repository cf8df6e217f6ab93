/** Wrong usage or configuration: nothing was done. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
