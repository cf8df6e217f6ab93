/** The settings and files that data depends on, as the builder that compiled the Worker had them. */
export interface IntakeFacts {
  /** Hash of the code that makes data from documents. */
  readonly intake: string
  /** Files of the public folder that a photo may name, by their paths within it. */
  readonly publicFiles: readonly string[]
  /** The setting `PHOTOS`. */
  readonly photos: 'files' | 'service' | 'off'
}
