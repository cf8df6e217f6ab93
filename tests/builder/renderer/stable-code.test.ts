/** Compiled code does not depend on the environment variables of the compile. Astro's own plugin inserts them. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { constantEnvironment } from '../../../src/builder/renderer/stable-code.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'

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

it('is the same with any variables', async () => {
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
