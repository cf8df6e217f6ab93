/** The rebuild command after changes of code. Each test begins with the same compiled project and its site. */
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createPage } from '../../../scripts/audit/pages/built-page.ts'
import { createPolicyCheck, readPolicy } from '../../../scripts/audit/pages/policy.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { MARKER } from '../../../src/domain/wire/site-marker.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { runBadly } from '../../support/rebuild/faults/crash-site.ts'
import type { RebuildRun } from '../../support/rebuild/rebuild.ts'
import { runRebuild } from '../../support/rebuild/rebuild.ts'
import { copyCompiled } from '../../support/rebuild/sample-renderer.ts'
import { readFiles } from '../../support/run/files.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrina-code-'))
const base = join(folder, 'base')
const path = (...names: readonly string[]): string => join(folder, 'site', ...names)

/** Builds into `output`, with a state of its own. */
function build(output = 'dist', project = path('project')): Promise<RebuildRun> {
  return runRebuild({ source: path('source'), output: path(output), state: path(`${output}-state`), project })
}

const readSite = (output = 'dist'): object => ({ ...readFiles(path(output)), [MARKER]: '' })
const readPage = (seller: string): string => readFileSync(path('dist/catalogo', `${seller}.html`), 'utf8')
const append = (file: string, text: string): void => appendFileSync(path('project', file), text)

function replace(file: string, text: string, other: string): void {
  const code = readFileSync(path('project', file), 'utf8')
  expect(code).toContain(text)
  writeFileSync(path('project', file), code.replace(text, other))
}

beforeAll(async () => {
  await copyCompiled(path('project'))
  writeFolder(path('source'), [user('ana'), product('uno', 'ana'), user('eva'), product('dos', 'eva')])
  await build()
  cpSync(path(), base, { recursive: true, verbatimSymlinks: true })
})
beforeEach(() => {
  rmSync(path(), { recursive: true })
  cpSync(base, path(), { recursive: true, verbatimSymlinks: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('npm run build ends with the exit code and the message of its rebuild', async () => {
  const env = { CATALOGUE_SOURCE: path('nowhere'), NODE_ENV: 'development' }
  const { code, stderr } = await runBadly({ project: path('project'), args: ['build'], env })
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^rebuild: .*nowhere/m)])
  expect(stderr).not.toContain('astro:build')
})

it('a site after a change of code is that of a clean build, besides the files of older pages', async () => {
  const before = readdirSync(path('dist/_astro'))
  replace('src/domain/messages.ts', "'Decants'", "'Muestras'")
  append('src/site/islands/catalogue/first-tap.ts', "\ndispatchEvent(new Event('another'))\n")
  append('src/site/stores/shown-view.ts', "\nObject.assign(globalThis, { another: 'one' })\n")
  expect((await build()).report).toMatchObject({ exit: 0, compiled: true, pages: { failed: 0 } })
  expect((await build('clean')).report).toMatchObject({ exit: 0, compiled: false })
  expect(readSite()).toMatchObject(readSite('clean'))
  expect(readPage('ana')).toContain('Muestras')
  const clean = readdirSync(path('clean/_astro'))
  expect(new Set(readdirSync(path('dist/_astro')))).toEqual(new Set([...before, ...clean]))
  expect(clean.some((name) => !before.includes(name))).toBe(true)
})

it('code that does not compile changes nothing, and the message says why', async () => {
  const before = readSite()
  // Astro then colours its messages, which hides where a line begins.
  vi.stubEnv('CI', 'true')
  replace('src/site/components/catalogue/ProductList.astro', '---\n', '---\nconst = 5\n')
  const { report } = await build()
  expect(report.exit).toBe(70)
  expect(report.error).toMatch(/^The code does not compile: .*\n.*Unexpected token/)
  expect(report.error).not.toMatch(/node_modules|Stack trace|Building server entrypoints/)
  expect(readSite()).toEqual(before)
})

it('a page that throws stays as it was, the others are new, and the policy permits the code of both', async () => {
  const before = readPage('eva')
  replace(
    'src/site/layouts/CatalogueScreen.astro',
    '---\n',
    "---\nif (Astro.locals.page.kind === 'catalogue' && Astro.locals.page.catalogue.seller === 'eva') throw new Error('broken')\n",
  )
  append('src/site/styles/base.css', '\n.another { color: red }\n')
  append('src/site/islands/catalogue/first-tap.ts', "\ndispatchEvent(new Event('another'))\n")
  const { report, stderr } = await build()
  expect(report).toMatchObject({ exit: 6, pages: { failed: 1 } })
  expect(stderr).toContain('broken')
  expect([readPage('eva'), readPage('ana')]).toEqual([before, expect.stringContaining('.another')])
  const check = createPolicyCheck(readPolicy(readFileSync(path('dist/_headers'), 'utf8')))
  for (const seller of ['ana', 'eva'])
    expect(check(createPage(seller, 'catalogue', readPage(seller)))).toEqual([])
})

it('the same code gives the same bytes in another folder, also beside a PostCSS configuration', async () => {
  const plugin =
    "{ postcssPlugin: 'other', Declaration: (one) => void (one.prop === 'color' && one.remove()) }"
  writeFileSync(path('project/postcss.config.mjs'), `export default { plugins: [${plugin}] }\n`)
  rmSync(path('project/.vitrina/renderers'), { recursive: true })
  expect((await build('other')).report).toMatchObject({ exit: 0, compiled: true })
  await build('mine', ROOT)
  expect(readSite('other')).toEqual(readSite('mine'))
})
