/** The options of the commands that build, and those of the rebuild command, from the command line and the environment. */
import type { Command } from 'commander'
import { Option } from 'commander'
import { findIdProblem } from '../../../domain/documents/page-id.ts'
import { UsageError } from '../../files/usage-error.ts'
import type { RebuildOptions } from '../../rebuild/world.ts'
import type { Environment, Parsed } from '../command.ts'
import type { Configuration } from '../configuration.ts'
import { parseConfiguration } from '../configuration.ts'
import { configureFolders, readFolders, readStage } from '../stage.ts'

export interface BuildOptions extends RebuildOptions {
  /** The running command, such as `rebuild --watch`, for messages of other processes. */
  readonly command: string
  readonly configuration: Configuration
  /** Environment variables, which include the loaded settings. */
  readonly environment: Environment
  /** `null` for production. */
  readonly stage: string | null
  readonly output: string
  readonly state: string
}

export interface RebuildCommandOptions extends BuildOptions {
  /** Keep running, and rebuild on every change of the source. */
  readonly isWatch: boolean
}

/** Returns the common options of a command. Options that only some commands have get their defaults. */
export function readBuildOptions(
  { flags, environment }: Pick<Parsed, 'flags' | 'environment'>,
  configuration: Configuration,
  command: string,
): BuildOptions {
  return {
    sellers: [],
    isClaimed: false,
    isFull: false,
    isShrinkAllowed: false,
    isExplained: false,
    publishing: null,
    command,
    configuration,
    environment,
    stage: readStage(environment),
    ...readFolders({ flags, environment }),
  }
}

export function configureRebuild(command: Command): void {
  const collect = (value: string, list: readonly string[] = []): readonly string[] => [...list, value]
  configureFolders(command)
    .option('--source <source>', 'firestore, a .sqlite file or a folder')
    .option('--seller <id>', 'rebuild this seller too; may be repeated', collect)
    .option('--full', 'read everything, and compare and repair every file')
    .option('--verify', 'the same as --full')
    .option('--explain', 'print which files would differ and why, and change nothing')
    .option('--dry-run', 'the same as --explain')
    .addOption(
      new Option('--watch', 'keep running, and rebuild on every change').conflicts(['explain', 'dryRun']),
    )
    .option('--allow-shrink', 'accept a change that removes much of the site')
}

interface Flags {
  readonly source?: string
  readonly seller?: readonly string[]
  readonly full?: boolean
  readonly verify?: boolean
  readonly explain?: boolean
  readonly dryRun?: boolean
  readonly watch?: boolean
  readonly allowShrink?: boolean
}

/** Throws a `UsageError` if options or settings are wrong. */
export function parseRebuildOptions({ flags: given, environment }: Parsed): RebuildCommandOptions {
  const flags: Flags = given
  const isWatch = flags.watch === true
  const source = flags.source === undefined ? {} : { CATALOGUE_SOURCE: flags.source }
  const configuration = parseConfiguration({ ...environment, ...source })
  const command = isWatch ? 'rebuild --watch' : 'rebuild'
  return {
    ...readBuildOptions({ flags: given, environment }, configuration, command),
    sellers: (flags.seller ?? []).map(parseSeller),
    isFull: flags.full === true || flags.verify === true,
    isShrinkAllowed: flags.allowShrink === true,
    isExplained: flags.dryRun === true || flags.explain === true,
    isWatch,
  }
}

function parseSeller(id: string): string {
  const problem = findIdProblem(id)
  if (problem !== null) throw new UsageError(`--seller ${JSON.stringify(id)}: the id ${problem}`)
  return id
}
