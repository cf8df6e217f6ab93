/** The settings, files and code on which object data depends, as they were when a builder compiled the Worker. */
import type { DataFacts } from '../../domain/objects/data-facts.ts'

export interface IntakeFacts extends DataFacts {
  /** Hash of these settings, files and code. */
  readonly intake: string
}
