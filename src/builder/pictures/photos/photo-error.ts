/** A photo cannot be fetched or decoded; its page keeps the original address. The message follows that address. */
export class PhotoError extends Error {
  override readonly name = 'PhotoError'
  /** Whether the host did not answer in time. */
  readonly isLate: boolean

  constructor(message: string, options?: ErrorOptions & { readonly isLate?: boolean }) {
    super(message, options)
    this.isLate = options?.isLate ?? false
  }
}
