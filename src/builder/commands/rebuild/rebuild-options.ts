/** The options of the rebuild command, from the command line and the environment. */
import { UsageError } from '../../files/usage-error.ts'
import type { Command } from 'commander'
import { findIdProblem } from '../../../domain/documents/page-id.ts'
import { parseConfiguration } from '../configuration.ts'
import type { Parsed } from '../command.ts'
import type { BuildOptions } from '../options.ts'
import { readBuildOptions } from '../options.ts'
import { configureStage } from '../stage.ts'

/** Throws a `UsageError` if options or settings are wrong. */
export function parseRebuildOptions({ flags: given, environment }: Parsed): BuildOptions {
  const flags: Flags = given
  if (flags.watch === true && isExplained(flags))
    throw new UsageError(
      '--watch rebuilds on every change, and --explain and --dry-run change nothing: leave out one of them',
    )
  const source = flags.source === undefined ? {} : { CATALOGUE_SOURCE: flags.source }
  const configuration = parseConfiguration({ ...environment, ...source })
  return {
    ...readBuildOptions({ flags: given, environment }, configuration),
    sellers: (flags.seller ?? []).map(parseSeller),
    isFull: flags.full === true || flags.verify === true,
    isShrinkAllowed: flags.allowShrink === true,
    isExplained: isExplained(flags),
    isWatch: flags.watch === true,
  }
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

export function configureRebuild(command: Command): void {
  const collect = (value: string, list: readonly string[] = []): readonly string[] => [...list, value]
  configureStage(command, { out: 'folder of the site', state: 'folder of the state' })
    .option('--source <source>', 'firestore, a .sqlite file or a folder')
    .option('--seller <id>', 'rebuild this seller too; may be repeated', collect)
    .option('--full', 'read everything, and compare and repair every file')
    .option('--verify', 'the same as --full')
    .option('--explain', 'print which files would differ and why, and change nothing')
    .option('--dry-run', 'the same as --explain')
    .option('--watch', 'keep running, and rebuild on every change')
    .option('--allow-shrink', 'accept a change that removes much of the site')
}

function isExplained({ dryRun, explain }: Flags): boolean {
  return dryRun === true || explain === true
}

function parseSeller(id: string): string {
  const problem = findIdProblem(id)
  if (problem !== null) throw new UsageError(`--seller ${JSON.stringify(id)}: the id ${problem}`)
  return id
}
