/** The options of the deploy command. */
import type { Command } from 'commander'
import { Option } from 'commander'
import { UsageError } from '../../files/usage-error.ts'
import type { Parsed } from '../command.ts'
import type { Need } from '../configuration.ts'
import { parseConfiguration } from '../configuration.ts'
import type { BuildOptions } from '../rebuild/rebuild-options.ts'
import { readBuildOptions, readSourceOption } from '../rebuild/rebuild-options.ts'
import { configureFolders } from '../stage.ts'

/** The options of which only one may be given; `watch` publishes each change until a signal. */
const ACTIONS = ['watch', 'setup', 'rollback', 'hold', 'release'] as const

export type DeployAction = 'deploy' | (typeof ACTIONS)[number]

export interface DeployOptions extends BuildOptions {
  readonly action: DeployAction
  /** The reason of a hold, or the version to put live; `null` for the one before. */
  readonly text: string | null
  /** False if no coordinator is asked. */
  readonly isCoordinated: boolean
}

/** A rollback needs no settings, so that it works even if they are missing. */
const NEEDS: Readonly<Record<DeployAction, readonly Need[]>> = {
  deploy: ['source', 'address'],
  watch: ['source', 'address', 'rebuild secret'],
  setup: ['source', 'address'],
  rollback: [],
  hold: ['rebuild secret'],
  release: ['rebuild secret'],
}

export function configureDeploy(parser: Command): void {
  const alone = (flags: string, text: string): Option => {
    const option = new Option(flags, text)
    return option.conflicts(ACTIONS.filter((name) => name !== option.attributeName()))
  }
  configureFolders(parser)
    .option('--source <source>', 'firestore, a .sqlite file or a folder')
    .option('--full', 'read everything, and compare and publish every file')
    .option('--allow-shrink', 'accept a change that removes much of the site')
    .option('--no-coordinator', 'ask no coordinator: the first time, or if it is broken')
    .addOption(alone('--watch', 'keep running, and publish each change until Ctrl-C'))
    .addOption(alone('--setup', 'publish the first time, or set the Worker up anew'))
    .addOption(alone('--rollback [version]', 'put an earlier version live, and hold publishing'))
    .addOption(alone('--hold <reason>', 'hold publishing'))
    .addOption(alone('--release', 'end the hold of publishing, and start a build'))
}

export function parseDeployOptions(parsed: Parsed): DeployOptions {
  const { flags } = parsed
  const action = ACTIONS.find((name) => name in flags) ?? 'deploy'
  const text = flags[action]
  const isCoordinated = flags['coordinator'] !== false
  if (!isCoordinated && NEEDS[action].includes('rebuild secret'))
    throw new UsageError(`--${action} needs the coordinator: leave out --no-coordinator`)
  const configuration = parseConfiguration(readSourceOption(parsed), NEEDS[action])
  if (action === 'rollback' && configuration.hosting === 'bucket')
    throw new UsageError(
      'A bucket has no earlier versions: run npm run deploy -- --hold <reason>, check out the earlier code, then run npm run deploy -- --release and npm run deploy.',
    )
  return {
    ...readBuildOptions(parsed, configuration, action === 'watch' ? 'deploy --watch' : 'deploy'),
    action,
    text: typeof text === 'string' ? text : null,
    // Everything is published by a setup, because the place may be another one.
    isFull: flags['full'] === true || action === 'setup',
    isShrinkAllowed: flags['allowShrink'] === true,
    isCoordinated: isCoordinated && configuration.coordinator.secrets.rebuild.length > 0,
  }
}
