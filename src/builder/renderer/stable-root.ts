/** Makes compiled code independent of the folder it was compiled in, and with it the pages. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Absolute folders of a compile, as `file:` URLs that end with a slash. */
export interface CompiledFolders {
  readonly root: URL
  /** Astro's `srcDir`, inside of the root. */
  readonly srcDir: URL
}

/** Rewrites every compiled module under `serverFolder` in place: Astro hashes component paths into `astro-island uid`. */
export function writeStableRoot(serverFolder: URL, { root, srcDir }: CompiledFolders): void {
  const folder = fileURLToPath(serverFolder)
  // The source folder first, since the root is a part of its path.
  const constants = [
    [fileURLToPath(srcDir), '/project/src/'],
    [fileURLToPath(root), '/project/'],
  ] as const
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.mjs')) replaceAll(join(folder, name), constants)
  }
}

function replaceAll(file: string, constants: readonly (readonly [string, string])[]): void {
  const code = readFileSync(file, 'utf8')
  const stable = constants.reduce((text, [path, constant]) => text.replaceAll(path, constant), code)
  if (stable !== code) writeFileSync(file, stable)
}
