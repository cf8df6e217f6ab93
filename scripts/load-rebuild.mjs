/** Loads the rebuild command as a bundle. In a cold run, the bundle loads three times as fast as its sources. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)
const bundles = new URL('.vitrina/commands/', root)

/**
 * Returns the exports of the bundle. Creates the bundle first if a source file has changed or the bundle is incomplete.
 * If that fails, returns the exports of the sources.
 */
export async function loadRebuild() {
  const found = await findCurrent()
  if (found !== null) {
    const loaded = await load(found).catch(() => null)
    if (loaded !== null) return loaded
  }
  const { bundleCommand } = await import('../src/builder/commands/rebuild/bundle-command.ts')
  try {
    return await load(await bundleCommand())
  } catch (error) {
    // The bundle could not be built or loaded, for example because its folder is not writable. Loads the command from
    // its sources instead. If a source is faulty, this throws the error that names its place.
    const { runProgram, command } = await import('../src/builder/commands/rebuild/bundled-rebuild.ts')
    console.error(`rebuild starts slowly, because its bundle could not be built or loaded: ${error.message}`)
    return { runProgram, command }
  }
}

function load(folder) {
  return import(new URL(`${folder}/rebuild.mjs`, bundles).href)
}

/** Returns the folder of a complete bundle of the current source files, or `null`. */
export async function findCurrent() {
  try {
    const { folder, bundle, files } = JSON.parse(readFileSync(new URL('current.json', bundles), 'utf8'))
    const { hashNoted } = await import('../src/builder/state/noted-hashes.ts')
    const inFolder = Object.entries(bundle).map(([path, hash]) => [
      `.vitrina/commands/${folder}/${path}`,
      hash,
    ])
    const expected = { ...files, ...Object.fromEntries(inFolder) }
    const note = fileURLToPath(new URL('hashes.json', bundles))
    const hashes = hashNoted(fileURLToPath(root), Object.keys(expected), note)
    return Object.entries(expected).every(([path, hash]) => hashes[path] === hash) ? folder : null
  } catch {
    // For example, there is no bundle yet, or a file is missing. Creating the bundle reports a missing source file.
    return null
  }
}
