/** Loads the rebuild command as a bundle, which loads three times as fast as its sources in a cold run. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const root = new URL('..', import.meta.url)
const bundles = new URL('.vitrina/commands/', root)

/** Bundles first when a source file changed or the bundle is incomplete. */
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
    // Without a writable folder the command loads from its sources.
    console.error(`rebuild: slow start, since its bundle could not be written: ${error.message}`)
    return import('../src/builder/commands/rebuild/bundled-rebuild.ts')
  }
}

function load(folder) {
  return import(new URL(`${folder}/rebuild.mjs`, bundles).href)
}

/** Returns the folder of a complete bundle of the current source files, or `null`. */
function findCurrent() {
  try {
    const current = JSON.parse(readFileSync(new URL('current.json', bundles), 'utf8'))
    const isWhole = isAs(current.bundle, new URL(`${current.folder}/`, bundles))
    return isWhole && isAs(current.files, root) ? current.folder : null
  } catch {
    // No bundle yet, or a file is missing. Bundling reports a missing source file.
    return null
  }
}

/** Whether each file under `folder` has its recorded hash. */
function isAs(files, folder) {
  return Object.entries(files).every(([path, hash]) => hashFile(new URL(path, folder)) === hash)
}

function hashFile(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
