/** The public folder as it is, and another with a file added and one changed. */
import { appendFileSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../scripts/root.ts'
import { readManifest } from '../../src/rebuild/fingerprint.ts'
import type { PublicFolder } from './run-in-process.ts'

/** `folder` is where the other one is made. */
export function createPublicFolders(folder: string): readonly PublicFolder[] {
  const real = join(ROOT, 'public')
  cpSync(real, folder, { recursive: true })
  appendFileSync(join(folder, 'favicon.svg'), '<!-- another -->\n')
  writeFileSync(join(folder, 'robots.txt'), 'User-agent: *\n')
  return [open('as it is', real), open('with another icon and robots.txt', folder)]
}

function open(name: string, folder: string): PublicFolder {
  return { name, folder, files: readManifest(folder, '.') }
}
