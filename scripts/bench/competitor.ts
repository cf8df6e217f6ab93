/** Another generator that makes the same pages. */
import type { Command } from './run-command.ts'

export interface Competitor {
  /** Where its pages end up. */
  readonly output: string
  readonly command: Command
}
