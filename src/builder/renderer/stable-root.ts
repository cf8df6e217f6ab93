/** Makes compiled code, and so the pages, independent of the folder that it was compiled in. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Absolute folders of a compile, as `file:` URLs that end with a slash. */
export interface CompiledFolders {
  readonly root: URL
  /** Astro's `srcDir`, inside the root. */
  readonly srcDir: URL
}

/**
 * Replaces the absolute paths in the modules under `serverFolder` by constants, because Astro hashes component paths
 * into `astro-island uid`.
 */
export function writeStableRoot(serverFolder: URL, { root, srcDir }: CompiledFolders): void {
  const folder = fileURLToPath(serverFolder)
  // The source folder comes first, because the root is a prefix of its path.
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
