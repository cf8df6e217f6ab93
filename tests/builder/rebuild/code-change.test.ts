/** The rebuild command after changes of code. The site is that of a clean build after each. */
import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copyProject } from '../../../scripts/measure/copy-project.ts'
import { useCodeSite } from '../../support/rebuild/code-site.ts'
import type { CrashRun } from '../../support/rebuild/faults/crash-run.ts'
import { runBadly } from '../../support/rebuild/faults/crash-run.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { runRebuild } from '../../support/rebuild/rebuild.ts'
import { readFiles } from '../../support/run/files.ts'

const { path, base, place, replace, append, build, readPage, rebuildPages } = useCodeSite({
  // One photo is of the public folder, where it is missing. A rebuild lists up to five pages, and this site has five.
  documents: [
    user('ana'),
    product('uno', 'ana', { photo: '/fotos-propias/uno.jpg' }),
    user('eva'),
    product('dos', 'eva'),
  ],
  create: async (project) => {
    copyProject(project)
  },
})

function runBuild(env: Readonly<Record<string, string>> = {}): Promise<CrashRun> {
  return runBadly({ project: path('project'), args: ['build'], env })
}

const CATALOGUES = ['catalogo/ana.html', 'catalogo/eva.html']

const listAssets = (): readonly string[] => readdirSync(path('dist/_astro')).sort()

/** Returns the names of the rules for inline code that differ from those before the change. */
function findChangedRules(): readonly string[] {
  const [now, before] = [path('dist'), base('dist')].map((output) => {
    const rules = readFileSync(join(output, '_headers'), 'utf8')
    return /script-src (?<scripts>[^;]*); style-src (?<styles>[^;]*)/.exec(rules)?.groups
  })
  expect(now?.['scripts']).toMatch(/sha256/)
  return ['scripts', 'styles'].filter((name) => now?.[name] !== before?.[name])
}

it('npm run build ends with the exit code and the message of its rebuild', async () => {
  const failed = await runBuild({ CATALOGUE_SOURCE: path('nowhere'), NODE_ENV: 'development' })
  expect([failed.code, failed.stderr]).toEqual([3, expect.any(String)])
  expect(failed.stderr).toMatch(/^rebuild: .*nowhere/m)
  expect(failed.stderr).not.toContain('astro:build')
  expect((await build()).report).toMatchObject({ exit: 0, compiled: false })
})

it('npm run build keeps no renderer if a source is saved during the compile', async () => {
  append('src/site/styles/base.css', '\n.first { color: red }\n')
  const building = runBuild({ CATALOGUE_SOURCE: path('source') })
  await expect.poll(isServerCompiled, { interval: 5, timeout: 60_000 }).toBe(true)
  append('src/site/styles/base.css', '\n.second { color: red }\n')
  const { code, stderr } = await building
  expect([code, stderr]).toEqual([70, expect.stringContaining('The code changed during the compile')])
  expect((await build()).report).toMatchObject({ exit: 0, compiled: true })
  expect(readPage()).toContain('.second')
})

/** Returns whether a running compile has read the sources and written the server. */
function isServerCompiled(): boolean {
  const folders = globSync('.vitrina/{compiled,renderers/compiling-*}/server/entry.mjs', {
    cwd: path('project'),
  })
  return folders.length > 0
}

it('a text of cards, the script that answers the first tap, and what only an island uses reach every page; the old chunks stay', async () => {
  const before = listAssets()
  replace('src/domain/messages.ts', "'Decants'", "'Muestras'")
  append('src/site/islands/catalogue/first-tap.ts', "\ndispatchEvent(new Event('another'))\n")
  append('src/site/stores/shown-view.ts', "\nObject.assign(globalThis, { another: 'one' })\n")
  expect(await rebuildPages()).toEqual(expect.arrayContaining(CATALOGUES))
  expect(findChangedRules()).toEqual(['scripts'])
  const island = /component-url="\/(_astro\/[^"]+)"/.exec(readPage())?.[1] ?? ''
  expect(island).toMatch(/^_astro\//)
  expect(before.map((name) => `_astro/${name}`)).not.toContain(island)
  expect(listAssets()).toEqual(expect.arrayContaining([...before]))
})

it('compiled in another folder, the same code gives the same bytes, also beside a PostCSS configuration', async () => {
  await runRebuild({ ...place('mine', 'mine-state'), project: ROOT })
  expect(readFiles(path('mine'))).toEqual(readFiles(path('dist')))
  const plugin =
    "{ postcssPlugin: 'other', Declaration: (one) => void (one.prop === 'color' && one.remove()) }"
  writeFileSync(path('project/postcss.config.mjs'), `export default { plugins: [${plugin}] }\n`)
  rmSync(path('project/.vitrina/renderers'), { recursive: true })
  await runRebuild({ ...place('other', 'other-state') })
  expect(readFiles(path('other'))).toEqual(readFiles(path('dist')))
})
