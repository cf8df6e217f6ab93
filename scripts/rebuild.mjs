/**
 * `npm run rebuild -- [options]`: loads the rebuild command, bundled; bundles it first when a file of it changed.
 * JavaScript, since taking the types off a file costs as much as starting Node.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'

enableCompileCache()
// React's development build is slower and makes other markup.
process.env.NODE_ENV = 'production'
// Whoever reads what is printed may stop reading (`| head`): the rebuild goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const root = new URL('..', import.meta.url)
const commands = new URL('.vitrina/commands/', root)
const folder = findCurrent() ?? (await bundle())
const { runRebuild } = await import(new URL(`${folder}/rebuild.mjs`, commands).href)
process.exitCode = await runRebuild(process.argv.slice(2))

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

async function bundle() {
  const { bundleCommand } = await import('./bundle-command.ts')
  return bundleCommand()
}
