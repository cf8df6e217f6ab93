/** The settings, files and code that data depends on, as the builder that compiled the Worker had them. */
import type { DataFacts } from '../../domain/objects/data-facts.ts'

export interface IntakeFacts extends DataFacts {
  /** Hash of these settings, files and code. */
  readonly intake: string
}
