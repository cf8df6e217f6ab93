/**
 * Compiled code does not depend on the environment variables of the compile, which Astro's own plugin inserts, or on its
 * folder.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { constantEnvironment, writeStableRoot } from '../../../src/builder/renderer/stable-code.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { useTemporaryFolder, writeTree } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const ASTRO = join(ROOT, 'node_modules/astro/dist')

type PluginModule = { importMetaEnv: (setup: { envLoader: { getPrivateEnv: () => object } }) => Plugin }

/** Compiles Astro's actions for servers, as Astro does with these environment variables. */
async function compile(variables: Record<string, string>, plugins: readonly Plugin[]): Promise<string> {
  const file = join(ASTRO, 'env/vite-plugin-import-meta-env.js')
  const { importMetaEnv } = (await import(pathToFileURL(file).href)) as PluginModule
  const values = Object.entries(variables).map(([name, value]) => [name, JSON.stringify(value)])
  const inserted = importMetaEnv({ envLoader: { getPrivateEnv: () => Object.fromEntries(values) as object } })
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'silent',
    plugins: [inserted, ...plugins],
    ssr: { noExternal: true },
    build: {
      write: false,
      ssr: true,
      rolldownOptions: {
        input: join(ASTRO, 'actions/runtime/server.js'),
        // Only this module is of interest.
        external: (id) => !id.endsWith('server.js'),
      },
    },
  })
  const [chunk] = [result].flat().flatMap((one) => ('output' in one ? one.output : []))
  return chunk?.type === 'chunk' ? chunk.code : ''
}

it('compiled code is the same with any variables', async () => {
  const shells: Record<string, string>[] = [
    { _: '/usr/bin/npm' },
    { _: '/usr/bin/env', PORT: '8787', DEV: '1', PROD: '', BASE_URL: '/other/' },
  ]
  const [first, second] = await Promise.all(shells.map((shell) => compile(shell, [])))
  expect(first).toContain('/usr/bin/npm')
  expect(first).not.toBe(second)
  const [one, other] = await Promise.all(shells.map((shell) => compile(shell, [constantEnvironment()])))
  expect(one).toContain('defineAction')
  expect(one).toBe(other)
  expect(one).not.toContain('/usr/bin')
})

it.each(['/shop/', '/a (1)+[ñ]/', '/src/', '/site/', '/project/src/', '/project/'])(
  'is the same in the folder %s',
  (root) => {
    const code = (folder: string, source: string): string => `import '../src/site/chunk.mjs'
    const page = '${source}pages/404.astro', url = 'file://${folder}astro.config.mjs', name = 'src/site/pages/404.astro'`
    writeTree(path(), { 'chunks/page.mjs': code(root, `${root}src/site/`) })
    writeStableRoot(pathToFileURL(`${path()}/`), {
      root: pathToFileURL(root),
      srcDir: pathToFileURL(`${root}src/site/`),
    })
    expect(readFileSync(path('chunks/page.mjs'), 'utf8')).toBe(code('/project/', '/project/src/'))
  },
)
