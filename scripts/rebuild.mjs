/**
 * `npm run rebuild -- [options]`: loads the rebuild command, bundled; bundles it first when a file of it changed.
 * JavaScript, since taking the types off a file costs as much as starting Node.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'

enableCompileCache()
// The part of the heap for new objects grows to 100 MB in a long run, and nothing is faster for it: it keeps its first
// size here, and that of workers is what serves pages best.
setFlagsFromString('--semi-space-growth-factor=1')
setFlagsFromString('--min-semi-space-size=8')
// Where every core renders, a collection that is shared among threads only waits for them.
setFlagsFromString('--no-parallel-scavenge')
// Nearly all that a worker holds is garbage: it looks through its old objects only when it has gathered a share of what
// all of them may take, 300 MB, of which each needs 50 anyway. As many workers as in src/rebuild/pool.ts.
const workers = Math.min(4, Math.max(2, availableParallelism()))
setFlagsFromString(`--initial-old-space-size=${Math.floor(300 / workers) - 50}`)
// React's development build is slower and makes other markup.
process.env.NODE_ENV = 'production'
// Whoever reads what is printed may stop reading (`| head`): the rebuild goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const root = new URL('..', import.meta.url)
const commands = new URL('.vitrina/commands/', root)
const { runRebuild } = await loadCommand()
process.exitCode = await runRebuild(process.argv.slice(2))

async function loadCommand() {
  const folder = findCurrent() ?? (await bundle())
  return folder === null
    ? import('../src/builder/commands/rebuild/run-rebuild.ts')
    : import(new URL(`${folder}/rebuild.mjs`, commands).href)
}

/** The folder of a bundle made from the files as they are now. */
function findCurrent() {
  try {
    const current = JSON.parse(readFileSync(new URL('current.json', commands), 'utf8'))
    const isSame = Object.entries(current.files).every(([path, hash]) => hashFile(path) === hash)
    return isSame ? current.folder : null
  } catch {
    // None yet, or a file of it is gone: bundling tells what is wrong, if anything is.
    return null
  }
}

function hashFile(path) {
  return createHash('sha256')
    .update(readFileSync(new URL(path, root)))
    .digest('hex')
}

/** `null` where nothing can be written: the command then starts from its sources, only slower. */
async function bundle() {
  const { bundleCommand } = await import('../src/builder/commands/rebuild/bundle-command.ts')
  try {
    return await bundleCommand()
  } catch (error) {
    console.error(`rebuild: starts slowly, since its bundle could not be made: ${error.message}`)
    return null
  }
}
