/**
 * Creates public folders: the project's own with photos; one with files added and changed; one with other bytes under
 * the same names.
 */
import { appendFileSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { readManifest } from '../../../src/builder/state/manifest.ts'
import type { PhotoColour } from './proof-photos.ts'
import { writePhotos } from './proof-photos.ts'
import type { PublicFolder } from './run-request.ts'

/** Creates them in `folder`. */
export async function createPublicFolders(folder: string): Promise<readonly PublicFolder[]> {
  const create = async (name: string, colours: readonly PhotoColour[]): Promise<string> => {
    const copy = join(folder, name)
    cpSync(join(ROOT, 'public'), copy, { recursive: true })
    await writePhotos(copy, colours)
    return copy
  }
  const [one, two, three] = [
    await create('one', ['tomato', 'teal']),
    await create('two', ['tomato', 'teal', 'gold']),
    await create('three', ['navy', 'broken']),
  ]
  appendFileSync(join(two, 'favicon.svg'), '<!-- another -->\n')
  writeFileSync(join(two, 'robots.txt'), 'User-agent: *\n')
  return [
    open('as it is', one),
    open('with another icon, robots.txt and one photo more', two),
    open('with other photos under the same names', three),
  ]
}

function open(name: string, folder: string): PublicFolder {
  return { name, folder, files: readManifest(folder, '.') }
}
