/** A photo cannot be fetched or decoded; its page keeps the original address. The message begins with a verb. */
export class PhotoError extends Error {
  override readonly name = 'PhotoError'
}
