/** The rebuild command after changes of code: which pages it renders. The site is that of a clean build after each. */
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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

describe('a change of code renders only the pages that it affects:', () => {
  it('the markup of the 404 screen; not comments, an npm script, a text that no page shows, code that publishes, a README, a new public file, the address of a transformation', async () => {
    const env = { PHOTOS: 'service', PHOTO_HOSTS: 'photos.example' }
    const service = { ...place('service', 'service-state'), env }
    await runRebuild(service)
    replace('src/site/pages/404.astro', '<BackHome />', '<hr /><BackHome />')
    replace('src/site/components/catalogue/ProductCard.astro', '---\n', '---\n// A comment.\n')
    append('src/domain/catalogue/catalogue.ts', '// A comment.\n')
    replace('package.json', '"start": "', '"other": "true", "start": "')
    append('src/domain/messages.ts', "export const UNUSED = 'x'\n")
    append('src/builder/publish/redact.ts', 'export const ANOTHER = 1\n')
    mkdirSync(path('project/functions/firestore-trigger'), { recursive: true })
    writeFileSync(path('project/functions/firestore-trigger/README.md'), 'Another.')
    writeFileSync(path('project/public/nuevo.txt'), 'nuevo')
    replace('src/domain/photos/transformations.ts', 'fit=cover', 'fit=contain')
    expect(await rebuildPages()).toEqual(['404.html'])
    expect(findChangedRules()).toEqual([])
    // With transformed photos, the address is on the page whose photo can be transformed.
    const { report } = await runRebuild(service)
    expect(report).toMatchObject({ exit: 0, pages: { rendered: 1, unchanged: 1 } })
    expect(readFileSync(path('service/catalogo/eva.html'), 'utf8')).toContain('fit=contain')
  })

  it('a style of two screens, inlined, and how lost photos are dropped, which changes the data of one page', async () => {
    expect(readPage()).not.toContain('fotos-propias')
    replace('src/site/components/PlainMessage.astro', 'padding: 3rem 0', 'padding: 4rem 0')
    replace('src/domain/photos/lost-photos.ts', "photo.startsWith('/')", "photo.startsWith('//')")
    expect(await rebuildPages()).toEqual([
      '404.html',
      'buscar.html',
      expect.stringMatching(/^buscar\//),
      'catalogo/ana.html',
      'index.html',
    ])
    expect(readPage()).toContain('fotos-propias')
    expect(findChangedRules()).toEqual(['styles'])
  })

  it('a text of cards, the script that answers the first tap, and what only an island uses: its chunk is new, the old ones are retained', async () => {
    const before = listAssets()
    replace('src/domain/messages.ts', "'Decants'", "'Muestras'")
    append('src/site/islands/catalogue/first-tap.ts', "\ndispatchEvent(new Event('another'))\n")
    append('src/site/stores/shown-view.ts', "\nObject.assign(globalThis, { another: 'one' })\n")
    expect(await rebuildPages()).toEqual(['catalogo/404.html', ...CATALOGUES].sort())
    expect(findChangedRules()).toEqual(['scripts'])
    const island = /component-url="\/(_astro\/[^"]+)"/.exec(readPage())?.[1] ?? ''
    expect(island).toMatch(/^_astro\//)
    expect(before.map((name) => `_astro/${name}`)).not.toContain(island)
    expect(listAssets()).toEqual(expect.arrayContaining([...before]))
  })
})

describe('a change of code that creates page data renders only pages whose data differ:', () => {
  it('how a catalogue is read', async () => {
    replace(
      'src/builder/state/snapshot/catalogue-reads.ts',
      'createCatalogue(seller, profile,',
      "createCatalogue(seller === 'eva' ? 'eva ' : seller, profile,",
    )
    expect(await rebuildPages()).toEqual([expect.stringMatching(/^buscar\//), 'catalogo/eva.html'])
  })

  it('a photo that is added to the public folder, and removed', async () => {
    mkdirSync(path('project/public/fotos-propias'))
    writeFileSync(path('project/public/fotos-propias/uno.jpg'), 'a photo')
    expect(await rebuildPages()).toEqual([expect.stringMatching(/^buscar\//), 'catalogo/ana.html'])
    expect(readPage()).toContain('fotos-propias')
    rmSync(path('project/public/fotos-propias'), { recursive: true })
    expect(await rebuildPages()).toEqual([expect.stringMatching(/^buscar\//), 'catalogo/ana.html'])
    expect(readPage()).not.toContain('fotos-propias')
  })
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
