/** The Worker of `start` and `preview`: that of the project with the page of the search. */
import { existsSync } from 'node:fs'
import { devNull } from 'node:os'
import { join, resolve } from 'node:path'
import { readSentence } from '../../publish/publish-error.ts'
import type { EdgeOptions } from './local-edge.ts'
import { ROOT } from '../../state/project-folder.ts'
import type { Environment, Terminal } from '../command.ts'
import { parseConfiguration } from '../configuration.ts'
import { readFolders } from '../stage.ts'

/** Beside the Worker that is published, which is prepared under a lock. */
const FOLDER = 'local-worker'

/** The runtime's own, beside `wrangler.jsonc`. */
const STATE = '.wrangler/state'
/** The tool reads the first one that exists. */
const VARIABLE_FILES = ['.dev.vars', '.env']

type Serving = Pick<EdgeOptions, 'serve' | 'state' | 'variableFile'>

/** `folder` is the built site, which is served without a search if the Worker cannot be prepared. */
export async function prepareLocalWorker(
  folder: string,
  environment: Environment,
  { warn }: Pick<Terminal, 'warn'>,
): Promise<Serving> {
  try {
    const configuration = await writeLocalWorker(folder, environment)
    if (configuration !== null) return { serve: { configuration }, ...findOwnFiles() }
    warn('There is no local search: the code has changed. Run npm run rebuild, then start again.')
  } catch (error) {
    warn(`There is no local search: ${readSentence(error)}`)
  }
  return { serve: { folder } }
}

/** Resolves when the signal aborts. */
export async function followCode(
  folder: string,
  environment: Environment,
  { warn, end }: Pick<Terminal, 'warn'> & { readonly end: AbortSignal },
): Promise<void> {
  // Imported on use, after the site is served.
  const { keepLocalWorker } = await import('./keep-local-worker.ts')
  const write = (): Promise<unknown> => writeLocalWorker(folder, environment)
  await keepLocalWorker({ state: readFolders({ flags: {}, environment }).state, write, warn }, end)
}

/** Returns the path of the configuration; `null` if the present code was not compiled yet. */
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

/** Finds the files that the tool looks for beside the configuration: the generated one is in another folder. */
function findOwnFiles(): Pick<EdgeOptions, 'state' | 'variableFile'> {
  const file = VARIABLE_FILES.map((name) => join(ROOT, name)).find((path) => existsSync(path))
  return { state: join(ROOT, STATE), variableFile: file ?? devNull }
}
