/** The effect of code changes on pages: real compiles of one copy of the project, edited step by step. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPage } from '../../../scripts/audit/pages/built-page.ts'
import { createPolicyCheck, readPolicy } from '../../../scripts/audit/pages/policy.ts'
import { POOL_FROM } from '../../../src/builder/rebuild/plan-site.ts'
import { copyProject } from '../../../scripts/measure/copy-project.ts'
import { product, user, writeFolder } from '../../support/documents.ts'
import { readFiles } from '../../support/files.ts'
import type { RebuildPlace, RebuildRun } from '../../support/rebuild.ts'
import { ROOT, runRebuild } from '../../support/rebuild.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrina-code-'))
const path = (...names: readonly string[]): string => join(folder, ...names)
const place: RebuildPlace = {
  source: path('source'),
  output: path('dist'),
  state: path('state'),
  project: path('project'),
}

/** Of the code without changes. */
const FIRST: RebuildPlace = { ...place, output: path('first'), state: path('first-state') }

const DOCUMENTS = [
  user('ana'),
  product('uno', 'ana', { photo: '/fotos-propias/uno.jpg' }),
  user('eva'),
  product('dos', 'eva'),
]

let failed: { readonly code: number; readonly stderr: string }

async function runBuild(env: NodeJS.ProcessEnv): Promise<typeof failed> {
  const child = spawn(process.execPath, ['scripts/vitrina.mjs', 'build'], {
    cwd: path('project'),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [[code], stderr] = await Promise.all([once(child, 'exit'), readText(child.stderr)])
  return { code, stderr }
}

beforeAll(async () => {
  writeFolder(path('source'), DOCUMENTS)
  copyProject(path('project'))
  // Keeps the renderer that the tests below start from.
  failed = await runBuild({ CATALOGUE_SOURCE: path('nowhere'), NODE_ENV: 'development' })
  await runRebuild(FIRST)
  await build()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CATALOGUES = ['catalogo/ana.html', 'catalogo/eva.html']
const FIXED = ['404.html', 'catalogo/404.html', 'index.html']

function edit(file: string, change: (code: string) => string): void {
  const full = path('project', file)
  const code = readFileSync(full, 'utf8')
  const changed = change(code)
  if (changed === code) throw new Error(`the edit of ${file} changes nothing`)
  writeFileSync(full, changed)
}

const replace = (file: string, text: string, other: string): void =>
  edit(file, (code) => code.replace(text, other))

const append = (file: string, text: string): void => appendFileSync(path('project', file), text)

const build = (...options: readonly string[]): Promise<RebuildRun> => runRebuild(place, ...options)

const readPage = (seller = 'ana'): string => readFileSync(path(`dist/catalogo/${seller}.html`), 'utf8')
const listAssets = (): readonly string[] => readdirSync(path('dist/_astro')).sort()

/** Returns the pages that the next rebuild would render. Compiles if needed. */
async function planPages(): Promise<readonly string[]> {
  const { stderr } = await build('--dry-run')
  return [...stderr.matchAll(/^render {2}(\S+)/gm)].map(([, file = '']) => file).sort()
}

/** Returns the files of a clean build of the current code. */
async function readCleanBuild(): Promise<Readonly<Record<string, string>>> {
  for (const name of ['clean', 'clean-state']) rmSync(path(name), { recursive: true, force: true })
  const { report } = await runRebuild({ ...place, output: path('clean'), state: path('clean-state') })
  expect(report).toMatchObject({ exit: 0, compiled: false })
  return readFiles(path('clean'))
}

/** Returns the files of the pages that a rebuild lists as rendered: it lists up to five, and the site has five. */
function listRendered(stderr: string): readonly string[] {
  const [, list = ''] = /^ {2}rendered {4}((?:\S+\n {14})*\S+)$/m.exec(stderr) ?? []
  const addresses = list.split(/\s+/).filter((address) => address !== '')
  return addresses.map((address) => (address === '/' ? 'index.html' : `${address.slice(1)}.html`)).sort()
}

/** Rebuilds, and compares the site with a clean build of the same code. Returns the pages that were rendered. */
async function rebuildPages(): Promise<readonly string[]> {
  const { report, stderr } = await build()
  expect([report.exit, stderr]).toEqual([0, expect.any(String)])
  const clean = await readCleanBuild()
  const files = Object.entries(readFiles(path('dist')))
  const isRetained = (file: string): boolean => file.startsWith('_astro/') && !(file in clean)
  expect(Object.fromEntries(files.filter(([file]) => !isRetained(file)))).toEqual(clean)
  return listRendered(stderr)
}

describe('npm run build', () => {
  it('ends with the exit code and the message of its rebuild, and keeps the renderer', async () => {
    expect([failed.code, failed.stderr]).toEqual([3, expect.any(String)])
    expect(failed.stderr).toMatch(/^rebuild: .*nowhere/m)
    expect(failed.stderr).not.toContain('astro:build:done')
    expect((await build()).report).toMatchObject({ exit: 0, compiled: false })
  })
})

describe('a change of code that affects no page renders nothing:', () => {
  it('comments, an npm script, a text that no page shows, code that publishes, a README, a new public file', async () => {
    replace('src/site/components/ProductCard.astro', '---\n', '---\n// A comment.\n')
    append('src/domain/catalogue/catalogue.ts', '// A comment.\n')
    replace('package.json', '"start": "', '"other": "true", "start": "')
    append('src/domain/messages.ts', "export const UNUSED = 'x'\n")
    append('src/builder/publish/redact.ts', 'export const ANOTHER = 1\n')
    mkdirSync(path('project/functions/firestore-trigger'), { recursive: true })
    writeFileSync(path('project/functions/firestore-trigger/README.md'), 'Another.')
    writeFileSync(path('project/public/nuevo.txt'), 'nuevo')
    expect(await rebuildPages()).toEqual([])
  })
})

describe('a change of code that affects pages renders only these:', () => {
  it.each<readonly [string, () => void, readonly string[]]>([
    [
      'a style of two screens, inlined',
      () => replace('src/site/components/PlainMessage.astro', 'padding: 3rem 0', 'padding: 4rem 0'),
      ['404.html', 'index.html'],
    ],
    [
      'the markup of a card and of the 404 screen',
      () => {
        replace('src/site/components/ProductCard.astro', '<article', '<article data-other')
        replace('src/site/pages/404.astro', '<BackHome />', '<hr /><BackHome />')
      },
      ['404.html', 'catalogo/404.html', ...CATALOGUES],
    ],
    [
      'a text of cards',
      () => replace('src/domain/messages.ts', "'Decants'", "'Muestras'"),
      ['catalogo/404.html', ...CATALOGUES],
    ],
    [
      'a style of all pages',
      () => append('src/site/styles/base.css', '\n.new-rule { color: red }\n'),
      [...FIXED, ...CATALOGUES],
    ],
    [
      'the script that answers the first tap',
      () => append('src/site/islands/first-tap.ts', "\ndispatchEvent(new Event('another'))\n"),
      ['catalogo/404.html', ...CATALOGUES],
    ],
  ])('%s', async (_, change, pages) => {
    change()
    expect(await rebuildPages()).toEqual([...pages].sort())
  })

  it('what only an island uses: its chunk is new, and the old chunks are retained', async () => {
    const before = listAssets()
    append('src/site/stores/visitor-view.ts', "\nObject.assign(globalThis, { another: 'one' })\n")
    expect(await rebuildPages()).toEqual(['catalogo/404.html', ...CATALOGUES].sort())
    const island = /component-url="\/(_astro\/[^"]+)"/.exec(readPage())?.[1] ?? ''
    expect(island).toMatch(/^_astro\//)
    expect(before.map((name) => `_astro/${name}`)).not.toContain(island)
    expect(listAssets()).toEqual(expect.arrayContaining([...before]))
  })
})

it('a change of the inline code of pages changes the rules for the edge', () => {
  const [now, before] = [place.output, FIRST.output].map((output) => {
    const rules = readFileSync(join(output, '_headers'), 'utf8')
    return /script-src (?<scripts>[^;]*); style-src (?<styles>[^;]*)/.exec(rules)?.groups
  })
  expect(now?.['scripts']).toMatch(/sha256/)
  expect(now?.['scripts']).not.toBe(before?.['scripts'])
  expect(now?.['styles']).not.toBe(before?.['styles'])
})

describe('a change of code that creates page data renders only pages whose data differ:', () => {
  it('how a catalogue is read', async () => {
    replace(
      'src/builder/state/snapshot/catalogue-reads.ts',
      'createCatalogue(seller, profile,',
      "createCatalogue(seller === 'eva' ? 'eva ' : seller, profile,",
    )
    expect(await rebuildPages()).toEqual(['catalogo/eva.html'])
  })

  it('how lost photos are dropped', async () => {
    expect(readPage()).not.toContain('fotos-propias')
    replace('src/domain/photos/lost-photos.ts', "photo.startsWith('/')", "photo.startsWith('//')")
    expect(await rebuildPages()).toEqual(['catalogo/ana.html'])
    expect(readPage()).toContain('fotos-propias')
  })

  it('a photo that was added to the public folder', async () => {
    replace('src/domain/photos/lost-photos.ts', "photo.startsWith('//')", "photo.startsWith('/')")
    mkdirSync(path('project/public/fotos-propias'))
    writeFileSync(path('project/public/fotos-propias/uno.jpg'), 'a photo')
    expect(await planPages()).toEqual([])
    rmSync(path('project/public/fotos-propias'), { recursive: true })
    expect(await rebuildPages()).toEqual(['catalogo/ana.html'])
  })

  it('the address of a transformation', async () => {
    const env = { PHOTOS: 'service', PHOTO_HOSTS: 'photos.example' }
    const service = { ...place, env, output: path('service'), state: path('service-state') }
    await runRebuild(service)
    const file = path('service/catalogo/eva.html')
    replace('src/domain/photos/transformations.ts', 'fit=cover', 'fit=contain')
    const { report } = await runRebuild(service)
    expect(report).toMatchObject({ exit: 0, pages: { rendered: 1, unchanged: 1 } })
    expect(readFileSync(file, 'utf8')).toContain('fit=contain')
  })
})

describe('code', () => {
  it('leaves no broken reference when chunks are split differently for another page', async () => {
    const island =
      "import { useStore } from '@nanostores/react'\nimport { $view } from '../stores/visitor-view.ts'\n"
    writeFileSync(
      path('project/src/site/islands/Second.tsx'),
      `${island}export function Second() { return <output>{useStore($view).filter}</output> }\n`,
    )
    edit('src/site/pages/404.astro', (code) =>
      code
        .replace('---\n', "---\nimport { Second } from '../islands/Second.tsx'\n")
        .replace('</p>', '</p><Second client:load />'),
    )
    const { report, stderr } = await build('--verify')
    expect([report.exit, stderr]).toEqual([0, expect.not.stringContaining('Nothing answers')])
  })

  it('changes nothing when it does not compile, and says why', async () => {
    const before = readPage()
    replace('src/site/components/ProductCard.astro', '---\n', '---\nconst = 5\n')
    const { report } = await build()
    expect(report.exit).toBe(70)
    expect(report.error).toMatch(/^The code does not compile: .*\n.*Unexpected token/)
    expect(report.error).not.toContain('Building server entrypoints')
    expect(readPage()).toBe(before)
    replace('src/site/components/ProductCard.astro', 'const = 5\n', '')
    expect((await build()).report).toMatchObject({ exit: 0, pages: { rendered: 0 } })
  })

  it('that reads a file outside the inputs of a compile does not compile', async () => {
    replace(
      'src/site/pages/404.astro',
      '---\n',
      "---\nimport { formatNumber } from '../../builder/format-numbers.ts'\nconsole.debug(formatNumber(1))\n",
    )
    const { report } = await build()
    expect(report.exit).toBe(70)
    expect(report.error).toContain('src/builder/format-numbers.ts, which is not in COMPILE_INPUTS')
    edit('src/site/pages/404.astro', (code) => code.replace(/import \{ formatNumber.*\nconsole.*\n/, ''))
  })

  it('keeps the old version of a page that throws, renders the others, and tries again', async () => {
    await build()
    const before = readPage('eva')
    replace(
      'src/site/layouts/CatalogueScreen.astro',
      '---\n',
      "---\nif (Astro.locals.page.kind === 'catalogue' && Astro.locals.page.catalogue.seller.startsWith('eva')) throw new Error('broken on purpose')\n",
    )
    append('src/site/styles/base.css', '\n.yet-another { color: red }\n')
    append('src/site/islands/first-tap.ts', "\ndispatchEvent(new Event('yet another'))\n")
    for (const _ of ['first', 'again']) {
      const { report, stderr } = await build()
      expect(report).toMatchObject({ exit: 6, pages: { failed: 1 } })
      expect(stderr).toContain('broken on purpose')
      expect(readPage('eva')).toBe(before)
    }
    expect(['eva', 'ana'].map((page) => findRefused(page))).toEqual([[], []])
  })

  it('whose compiled files are damaged is compiled again before workers render with it', async () => {
    const sellers = Array.from({ length: POOL_FROM }, (_, index) => user(`s${index}`))
    const many = { ...place, output: path('many'), state: path('many-state') }
    const source = writeFolder(path('many-source'), sellers)
    expect((await runRebuild({ ...many, source })).report.exit).toBe(0)
    const before = readFiles(path('many'))
    const store = path('project/.vitrina/renderers')
    for (const name of readdirSync(store)) {
      const entry = join(store, name, 'server/entry.mjs')
      if (existsSync(entry)) writeFileSync(entry, 'x'.repeat(statSync(entry).size))
    }
    const { report } = await runRebuild({ ...many, source }, '--full')
    expect(report).toMatchObject({ exit: 0, pages: { failed: 0 } })
    expect(readFiles(path('many'))).toEqual(before)
  })
})

/** Returns the inline code of a page that the policy refuses. */
function findRefused(page: string): readonly string[] {
  const check = createPolicyCheck(readPolicy(readFileSync(path('dist/_headers'), 'utf8')))
  return check(createPage(page, 'catalogue', readPage(page)))
}

it('compiled in another folder, the same code gives the same bytes', async () => {
  await runRebuild({ ...place, project: ROOT, output: path('mine'), state: path('mine-state') })
  const files = readdirSync(path('mine'), { recursive: true, encoding: 'utf8' }).sort()
  expect(readdirSync(FIRST.output, { recursive: true, encoding: 'utf8' }).sort()).toEqual(files)
  for (const file of files.filter((name) => statSync(path('mine', name)).isFile()))
    expect(readFileSync(join(FIRST.output, file)).equals(readFileSync(path('mine', file))), file).toBe(true)
})
