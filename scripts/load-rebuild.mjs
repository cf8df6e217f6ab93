/** Loads the rebuild command bundled into one file, since a cold run loads that three times as fast. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const root = new URL('..', import.meta.url)
const bundles = new URL('.vitrina/commands/', root)

/** Bundles it first when a file of it changed, or the bundle is not whole. */
export async function loadRebuild() {
  const found = findCurrent()
  if (found !== null) {
    const loaded = await load(found).catch(() => null)
    if (loaded !== null) return loaded
  }
  const { bundleCommand } = await import('../src/builder/commands/rebuild/bundle-command.ts')
  try {
    return await load(await bundleCommand())
  } catch (error) {
    // Where nothing can be written the command starts from its sources, only slower.
    console.error(`rebuild: starts slowly, since its bundle could not be made: ${error.message}`)
    return import('../src/builder/commands/rebuild/bundled-rebuild.ts')
  }
}

function load(folder) {
  return import(new URL(`${folder}/rebuild.mjs`, bundles).href)
}

/** The folder of a whole bundle made from the files as they are now; `null` when there is none. */
function findCurrent() {
  try {
    const current = JSON.parse(readFileSync(new URL('current.json', bundles), 'utf8'))
    const isWhole = isAs(current.bundle, new URL(`${current.folder}/`, bundles))
    return isWhole && isAs(current.files, root) ? current.folder : null
  } catch {
    // None yet, or a file of it is gone: bundling tells what is wrong, if anything is.
    return null
  }
}

/** Whether each file under `folder` has its hash. */
function isAs(files, folder) {
  return Object.entries(files).every(([path, hash]) => hashFile(new URL(path, folder)) === hash)
}

function hashFile(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
