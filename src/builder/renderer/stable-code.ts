/** Makes compiled code, and so the pages, independent of the folder and the environment variables of the compile. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

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

// Matches the uses that Astro replaces in this way: all except those followed by a dot, such as `import.meta.env.PORT`.
const WHOLE = /\bimport\.meta\.env\b(?!\.)/g

/**
 * A Vite plugin that makes compiled code independent of the environment variables of the compile. Astro inserts
 * variables into each module that uses `import.meta.env` as a whole: those whose names occur anywhere in the module, for
 * example `PORT`.
 */
export function constantEnvironment(): Plugin {
  return {
    name: 'vitrina:constant-environment',
    apply: 'build',
    // Runs before Astro's plugin, which sets no `enforce`.
    enforce: 'pre',
    transform(code) {
      const constant = code.replace(WHOLE, '({ DEV: false, PROD: true })')
      return constant === code ? null : { code: constant, map: null }
    },
  }
}
