/** A photo that cannot be had or shown: its page keeps the original address. The message says why. */
export class PhotoError extends Error {
  override readonly name = 'PhotoError'
}
