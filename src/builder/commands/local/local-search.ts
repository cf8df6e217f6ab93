/**
 * The search of `start` and `preview`: creates a secret for the index of the local edge if none is set, and keeps the
 * index up to date.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { readSecrets } from '../../../domain/wire/secrets.ts'
import { createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import { readSentence } from '../../publish/publish-error.ts'
import { createSearchClient } from '../../publish/search/search-client.ts'
import type { Environment, Terminal } from '../command.ts'
import { parseConfiguration } from '../configuration.ts'
import { readFolders } from '../stage.ts'

interface LocalSecret {
  /** Variables that the Worker needs in addition to those in its `.env`. */
  readonly added: Readonly<Record<string, string>>
  /** The secrets with which the Worker accepts calls of builders. */
  readonly all: readonly string[]
}

interface LocalSearch {
  /**
   * Resolves when the index contains the built site, when filling it has failed or takes too long, or when there is no
   * local search.
   */
  readonly begun: Promise<void>
  /** Resolves when the signal has aborted, or early if there is no local search. */
  readonly ended: Promise<void>
}

interface LocalSite {
  readonly environment: Environment
  readonly origin: string
  readonly secrets: readonly string[]
}

/** Timeout of a call, in milliseconds, so that no call waits for an edge that no longer answers. */
const PATIENCE = 30_000
/** Timeout of `begun`, in milliseconds. */
const FIRST_PATIENCE = 15_000

/** Returns the secrets of the environment; a new secret for this run of the edge if none is set. */
export function createLocalSecret(environment: Environment): LocalSecret {
  const { builders } = readSecrets((name) => environment[name] ?? '')
  if (builders.length > 0) return { added: {}, all: builders }
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { added: { BUILDER_SECRET: secret }, all: [secret] }
}

/**
 * Fills the index and keeps it up to date. The returned promises never reject, because the site is also served without
 * a search.
 */
export function openLocalSearch(
  site: LocalSite,
  terminal: Pick<Terminal, 'warn'>,
  signal: AbortSignal,
): LocalSearch {
  const { promise, resolve } = Promise.withResolvers<void>()
  const ended = keepLocalSearch(site, { ...terminal, begun: resolve }, signal)
  const late = wait(FIRST_PATIENCE, undefined, { signal, ref: false }).catch(() => {})
  return { begun: Promise.race([promise, ended, late]), ended }
}

async function keepLocalSearch(
  { environment, origin, secrets }: LocalSite,
  { warn, begun }: Pick<Terminal, 'warn'> & { readonly begun: () => void },
  signal: AbortSignal,
): Promise<void> {
  try {
    // Imported on use, so that the site is served earlier.
    const { keepLocalIndex } = await import('./keep-local-index.ts')
    const calls = createCoordinatorClient({ url: origin, secrets }, { tries: 2, patience: PATIENCE })
    const { state } = readFolders({ flags: {}, environment })
    const configuration = parseConfiguration(environment, [])
    if (!configuration.site.search) return
    await keepLocalIndex({ configuration, state, client: createSearchClient(calls), warn, begun }, signal)
  } catch (error) {
    warn(`There is no local search: ${readSentence(error)}`)
  }
}
