/** The search of `start` and `preview`: the secret that opens the index of the local edge, and what keeps it up to date. */
import { randomBytes } from 'node:crypto'
import { readSecrets } from '../../../domain/wire/secrets.ts'
import { createCoordinatorClient } from '../../publish/coordinator-client.ts'
import { readMessage } from '../../publish/publish-error.ts'
import { createSearchClient } from '../../publish/search/search-client.ts'
import type { Environment, Terminal } from '../command.ts'
import { parseConfiguration } from '../configuration.ts'
import { readFolders } from '../stage.ts'

export interface LocalSecret {
  /** The Worker's variables beside those that it reads itself. */
  readonly added: Readonly<Record<string, string>>
  /** What opens the calls of builders. */
  readonly all: readonly string[]
}

interface LocalSite {
  readonly environment: Environment
  readonly origin: string
  readonly secrets: readonly string[]
}

/** Of a call, in milliseconds: when the edge ends, nothing waits for its answer. */
const PATIENCE = 30_000

/** Without a secret in the environment creates one for this run of the edge. */
export function createLocalSecret(environment: Environment): LocalSecret {
  const { builders } = readSecrets((name) => environment[name] ?? '')
  if (builders.length > 0) return { added: {}, all: builders }
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { added: { BUILDER_SECRET: secret }, all: [secret] }
}

/** Resolves when the signal aborts. Never rejects: the site is served also without a search. */
export async function keepLocalSearch(
  { environment, origin, secrets }: LocalSite,
  { warn }: Pick<Terminal, 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    // Imported on use, after the site is served.
    const { keepLocalIndex } = await import('./keep-local-index.ts')
    const calls = createCoordinatorClient({ url: origin, secrets }, { tries: 2, patience: PATIENCE })
    const { state } = readFolders({ flags: {}, environment })
    const configuration = parseConfiguration(environment, [])
    await keepLocalIndex({ configuration, state, client: createSearchClient(calls), warn }, signal)
  } catch (error) {
    warn(`There is no local search: ${readMessage(error)}`)
  }
}
