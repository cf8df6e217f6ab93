/** The options of the commands that build, and those of the rebuild command, from the command line and the environment. */
import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { findIdProblem } from '../../../domain/documents/page-id.ts'
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
  parsed: Parsed,
  configuration: Configuration,
  command: string,
): BuildOptions {
  const { environment } = parsed
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
    ...readFolders(parsed),
  }
}

export function configureRebuild(command: Command): void {
  configureFolders(command)
    .option('--source <source>', 'firestore, a .sqlite file or a folder')
    .option('--seller <id>', 'rebuild this seller too; may be repeated', collectSeller)
    .option('--full', 'read everything, and compare and repair every file')
    .option('--verify', 'the same as --full')
    .option('--explain', 'print which files would differ and why, and change nothing')
    .option('--dry-run', 'the same as --explain')
    .addOption(
      new Option('--watch', 'keep running, and rebuild on every change').conflicts(['explain', 'dryRun']),
    )
    .option('--allow-shrink', 'accept a change that removes much of the site')
}

/** Throws a `UsageError` if options or settings are wrong. */
export function parseRebuildOptions(parsed: Parsed): RebuildCommandOptions {
  const { flags } = parsed
  const isWatch = flags['watch'] === true
  const configuration = parseConfiguration(readSourceOption(parsed))
  return {
    ...readBuildOptions(parsed, configuration, isWatch ? 'rebuild --watch' : 'rebuild'),
    sellers: [flags['seller'] ?? []].flat().map(String),
    isFull: flags['full'] === true || flags['verify'] === true,
    isShrinkAllowed: flags['allowShrink'] === true,
    isExplained: flags['dryRun'] === true || flags['explain'] === true,
    isWatch,
  }
}

/** Returns the environment with the source that the option `--source` names. */
export function readSourceOption({ flags, environment }: Parsed): Environment {
  const source = flags['source']
  return typeof source === 'string' ? { ...environment, CATALOGUE_SOURCE: source } : environment
}

/** Parses an id, and adds it to those before it. */
export function collectSeller(id: string, before: readonly string[] = []): readonly string[] {
  const problem = findIdProblem(id)
  if (problem === null) return [...new Set([...before, id])]
  throw new InvalidArgumentError(`A seller with this id cannot have a page: the id ${problem}.`)
}
