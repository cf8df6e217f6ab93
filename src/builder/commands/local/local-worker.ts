/** Prepares the Worker of `start` and `preview`: the project's Worker, with the renderer of the search page. */
import { existsSync } from 'node:fs'
import { devNull } from 'node:os'
import { join, resolve } from 'node:path'
import { readSentence } from '../../publish/publish-error.ts'
import type { EdgeOptions } from './local-edge.ts'
import { ROOT } from '../../state/project-folder.ts'
import type { Environment, Terminal } from '../command.ts'
import { parseConfiguration } from '../configuration.ts'
import { readFolders } from '../stage.ts'

/**
 * Folder of the local Worker in the state. The Worker to publish has a separate folder, which only the holder of a lock
 * may write.
 */
const FOLDER = 'local-worker'

/** The folder next to `wrangler.jsonc` in which the runtime stores data by default. */
const STATE = '.wrangler/state'
/** wrangler reads the first of these files that exists. */
const VARIABLE_FILES = ['.dev.vars', '.env']

type Serving = Pick<EdgeOptions, 'serve' | 'state' | 'variableFile'>

/**
 * Returns what the local edge serves: the Worker or, if it cannot be prepared, only the built site in `folder`, without
 * a search.
 */
export async function prepareLocalWorker(
  folder: string,
  environment: Environment,
  { warn }: Pick<Terminal, 'warn'>,
): Promise<Serving> {
  try {
    const configuration = await writeLocalWorker(folder, environment)
    if (configuration !== null) return { serve: { configuration }, ...findOwnFiles() }
    warn(
      'There is no local search: the present code has not been compiled yet. Run npm run rebuild, then start again.',
    )
  } catch (error) {
    warn(`There is no local search: ${readSentence(error)}`)
  }
  return { serve: { folder } }
}

/** Writes the Worker again after each rebuild. Resolves when `end` aborts. */
export async function followCode(
  folder: string,
  environment: Environment,
  { warn, end }: Pick<Terminal, 'warn'> & { readonly end: AbortSignal },
): Promise<void> {
  // Imported on use, so that the site is served earlier.
  const { keepLocalWorker } = await import('./keep-local-worker.ts')
  const write = (): Promise<unknown> => writeLocalWorker(folder, environment)
  await keepLocalWorker({ state: readFolders({ flags: {}, environment }).state, write, warn }, end)
}

/** Returns the path of the configuration; `null` if the current code has not been compiled. */
async function writeLocalWorker(output: string, environment: Environment): Promise<string | null> {
  const [{ findCompiled }, { generateWorker }] = await Promise.all([
    import('../deploy/prepare-worker.ts'),
    import('../../publish/worker/prepare-worker.ts'),
  ])
  const kept = await findCompiled()
  if (kept === null) return null
  const { site } = parseConfiguration(environment, [])
  const folder = join(resolve(ROOT, readFolders({ flags: {}, environment }).state), FOLDER)
  return generateWorker({ root: ROOT, folder, output, kept, site }).configuration
}

/**
 * Finds the files that wrangler expects next to its configuration, because the generated configuration is in another
 * folder.
 */
function findOwnFiles(): Pick<EdgeOptions, 'state' | 'variableFile'> {
  const file = VARIABLE_FILES.map((name) => join(ROOT, name)).find((path) => existsSync(path))
  return { state: join(ROOT, STATE), variableFile: file ?? devNull }
}
