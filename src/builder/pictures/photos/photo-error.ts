/** The error of a photo that cannot be fetched or decoded. `message` is a phrase to print after the photo's address. */
export class PhotoError extends Error {
  override readonly name = 'PhotoError'
  /** Whether the host did not answer in time. */
  readonly isLate: boolean

  constructor(message: string, options?: ErrorOptions & { readonly isLate?: boolean }) {
    super(message, options)
    this.isLate = options?.isLate ?? false
  }
}
