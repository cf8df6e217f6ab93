/** What the commands that call a coordinator have in common: configuration, errors and exit codes. */
import { UsageError } from '../../state/usage-error.ts'
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { parseConfiguration } from '../configuration.ts'
import type { CoordinatorClient } from '../../publish/coordinator-client.ts'
import { CallError, createCoordinatorClient } from '../../publish/coordinator-client.ts'

export const EXIT = { done: 0, failed: 1, usage: 2 } as const

export interface Connection {
  readonly url: string
  readonly client: CoordinatorClient
}

/** Wrong usage exits with 2 and a hint. */
export function parseArguments(command: Command): Command {
  return command
    .showHelpAfterError('(--help tells how to use it)')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage))
    .parse()
}

/** Runs `work` with the configured coordinator and answers with the exit code. `onRetry` hears of each retry. */
export async function runWithCoordinator(
  work: (connection: Connection) => Promise<number>,
  onRetry: (line: string) => void,
  fail: (message: string) => void,
): Promise<number> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
    const { coordinator } = parseConfiguration(process.env)
    const client = createCoordinatorClient(coordinator, {
      onRetry: (problem, pause) => onRetry(`${problem}; again in ${(pause / 1000).toFixed(1)} s`),
    })
    return await work({ url: coordinator.url, client })
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof CallError)) throw error
    fail(error.message)
    return error instanceof UsageError ? EXIT.usage : EXIT.failed
  }
}
