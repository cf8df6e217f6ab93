/** The options of every command that builds or publishes. */
import type { RebuildOptions } from '../rebuild/world.ts'
import type { Environment, Parsed } from './command.ts'
import type { Configuration } from './configuration.ts'
import { readFolders, readStage } from './stage.ts'

export interface BuildOptions extends RebuildOptions {
  readonly configuration: Configuration
  /** Environment variables, which include the loaded settings. */
  readonly environment: Environment
  /** `null` for production. */
  readonly stage: string | null
  readonly output: string
  readonly state: string
  /** Keep running, and rebuild on every change of the source. */
  readonly isWatch: boolean
}

const DEFAULTS = {
  sellers: [],
  isClaimed: false,
  isFull: false,
  isShrinkAllowed: false,
  isExplained: false,
  publishing: null,
  isWatch: false,
} as const

/** Returns the common options of a command. Options that only some commands have get their defaults. */
export function readBuildOptions(
  { flags, environment }: Pick<Parsed, 'flags' | 'environment'>,
  configuration: Configuration,
): BuildOptions {
  return {
    ...DEFAULTS,
    configuration,
    environment,
    stage: readStage(environment),
    ...readFolders({ flags, environment }),
  }
}
