/** What a change of the code does to the pages: real compiles of a copy of the project. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { product, user, writeFolder } from '../../support/documents.ts'
import { copyProject } from '../../../scripts/prove/copy-project.ts'
import type { RebuildPlace, RebuildRun } from '../../support/rebuild.ts'
import { ROOT, runRebuild } from '../../support/rebuild.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'

const path = useTemporaryFolder()
let place: RebuildPlace

beforeEach(() => {
  writeFolder(path('source'), [user('ana'), product('uno', 'ana'), user('eva'), product('dos', 'eva')])
  place = {
    source: path('source'),
    output: path('dist'),
    state: path('state'),
    project: copyProject(path('project')),
  }
})

function edit(file: string, change: (code: string) => string): void {
  const full = join(path('project'), file)
  const code = readFileSync(full, 'utf8')
  const changed = change(code)
  if (changed === code) throw new Error(`the edit of ${file} changes nothing`)
  writeFileSync(full, changed)
}

const build = (...options: readonly string[]): Promise<RebuildRun> => runRebuild(place, ...options)
const readPage = (seller = 'ana'): string => readFileSync(path(`dist/catalogo/${seller}.html`), 'utf8')
const readTime = (file: string): number => statSync(path('dist', file)).mtimeMs
const listAssets = (): readonly string[] => readdirSync(path('dist/_astro')).sort()

describe('a change of the code', () => {
  it('compiles and renders every page again, and rewrites only those whose bytes changed', async () => {
    await build()
    const times = [readTime('catalogo/ana.html'), readTime('index.html')]
    edit('src/domain/messages.ts', (code) => code.replace("'Decants'", "'Muestras'"))
    const { report } = await build('--verify')
    expect(report).toMatchObject({ exit: 0, compiled: true, pages: { rendered: 2 } })
    expect(readPage()).toContain('Muestras')
    expect(readTime('catalogo/ana.html')).not.toBe(times[0])
    expect(readTime('index.html')).toBe(times[1])
    expect((await build()).report).toMatchObject({ compiled: false, pages: { rendered: 0, unchanged: 2 } })
  })

  it('brings a changed style sheet to every page', async () => {
    await build()
    edit('src/site/styles/base.css', (code) => `${code}\n.new-rule { color: red }\n`)
    await build()
    for (const seller of ['ana', 'eva']) expect(readPage(seller)).toContain('.new-rule')
  })

  it('gives pages the new chunks when an island or what only it uses changed, and keeps the old ones for a while', async () => {
    await build()
    const before = listAssets()
    edit('src/site/islands/FilterBar.tsx', (code) =>
      code.replace('className="filters"', 'className="filters new"'),
    )
    const { report } = await build('--verify')
    expect(report.exit).toBe(0)
    const island = /component-url="\/(_astro\/[^"]+)"/.exec(readPage())?.[1] ?? ''
    expect(before.map((name) => `_astro/${name}`)).not.toContain(island)
    expect(listAssets()).toEqual(expect.arrayContaining([...before]))
    for (const text of ['a', 'b', 'c']) {
      edit('src/domain/messages.ts', (code) => `${code}\nexport const UNUSED_${text} = '${text}'\n`)
      await build()
    }
    const gone = before.filter((name) => name.startsWith('FilterBar'))
    expect(listAssets()).not.toEqual(expect.arrayContaining(gone))
    expect((await build('--verify')).report.exit).toBe(0)
  })

  it('leaves no reference without a file when chunks are split anew for another page', async () => {
    await build()
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
    expect(readFileSync(path('dist/404.html'), 'utf8')).toContain('Second')
  })

  it('gives the same bytes when compiled in another folder', async () => {
    await build()
    const mine = { ...place, project: ROOT, output: path('other'), state: path('other-state') }
    await runRebuild(mine)
    const files = readdirSync(path('dist'), { recursive: true, encoding: 'utf8' }).sort()
    expect(readdirSync(path('other'), { recursive: true, encoding: 'utf8' }).sort()).toEqual(files)
    for (const file of files.filter((name) => statSync(path('dist', name)).isFile())) {
      expect(readFileSync(path('other', file)).equals(readFileSync(path('dist', file))), file).toBe(true)
    }
  })

  it('changes nothing when it does not compile, and says why', async () => {
    await build()
    const before = readPage()
    edit('src/site/components/ProductCard.astro', (code) => code.replace('---\n', '---\nconst = 5\n'))
    const { report } = await build()
    expect(report.exit).toBe(1)
    expect(report.error).toContain('does not compile')
    expect(readPage()).toBe(before)
    edit('src/site/components/ProductCard.astro', (code) => code.replace('const = 5\n', ''))
    expect((await build()).report).toMatchObject({ exit: 0, pages: { rendered: 0 } })
  })

  it('keeps the old version of a page that throws, renders the others, and tries again', async () => {
    await build()
    const before = readPage('eva')
    edit('src/site/components/CatalogueScreen.astro', (code) =>
      code.replace(
        '---\n',
        "---\nif (Astro.locals.page.kind === 'catalogue' && Astro.locals.page.catalogue.seller === 'eva') throw new Error('broken on purpose')\n",
      ),
    )
    for (const _ of ['first', 'again']) {
      const { report, stderr } = await build()
      expect(report).toMatchObject({ exit: 6, pages: { failed: 1 } })
      expect(stderr).toContain('broken on purpose')
      expect(readPage('eva')).toBe(before)
    }
  })
})
