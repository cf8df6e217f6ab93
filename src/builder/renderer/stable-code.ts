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
  const source = fileURLToPath(srcDir)
  // The source folder comes first, because the root is a prefix of its path. Relative paths are not replaced.
  const paths = [source, fileURLToPath(root)].map((path) => path.replaceAll(/[^\w/]/g, String.raw`\$&`))
  const pattern = new RegExp(`(?<![\\w.])(?:${paths.join('|')})`, 'g')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.mjs')) continue
    const file = join(folder, name)
    const code = readFileSync(file, 'utf8')
    const stable = code.replace(pattern, (path) => (path === source ? '/project/src/' : '/project/'))
    if (stable !== code) writeFileSync(file, stable)
  }
}

const INSERTS_VARIABLES = 'astro:vite-plugin-env'

/**
 * A Vite plugin that makes compiled code independent of the environment variables of the compile. Without it, Astro
 * replaces each `import.meta.env.<NAME>` by the variable of this name, for example `DEV`, and inserts variables where a
 * module uses `import.meta.env` as a whole. Vite's own constants remain.
 */
export function constantEnvironment(): Plugin {
  return {
    name: 'vitrina:constant-environment',
    apply: 'build',
    // Variables with this prefix count as public: Vite would insert them.
    config: () => ({ envPrefix: 'VITRINA_PUBLIC_' }),
    configResolved: ({ plugins }) => {
      const found = plugins.find(({ name }) => name === INSERTS_VARIABLES)
      if (found === undefined)
        throw new Error(
          `Astro no longer has the plugin ${INSERTS_VARIABLES}: adapt stable-code.ts to this version`,
        )
      delete found.transform
    },
  }
}
