import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formatPlan } from '../../../../src/builder/commands/rebuild/format-plan.ts'
import { formatOutcome } from '../../../../src/builder/commands/rebuild/format-rebuild.ts'
import { createRebuildReport } from '../../../../src/builder/commands/rebuild/rebuild-report.ts'
import type { Pictures } from '../../../../src/builder/pictures/pictures.ts'
import { createStorelessPictures } from '../../../../src/builder/pictures/pictures.ts'
import { createExplainer } from '../../../../src/builder/rebuild/plan/explain-plan.ts'
import { dryRun } from '../../../../src/builder/rebuild/rebuild.ts'
import type { World } from '../../../../src/builder/rebuild/world.ts'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { product, user, withTime } from '../../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import type { WorldSetup } from '../../../support/rebuild/world.ts'
import { createWorld, runInWorld } from '../../../support/rebuild/world.ts'

const path = useTemporaryFolder()

const DOCUMENTS: readonly SourceDocument[] = [
  user('ana', 'Ana', 'Pérez'),
  product('p7', 'ana', { name: '9PM', price: 1500 }),
  product('p8', 'ana', { name: 'Azul' }),
  user('luz'),
  product('q1', 'luz', { name: 'Ocho' }),
]

const run = (setup: Partial<WorldSetup> = {}) =>
  runInWorld({ folder: path(), documents: DOCUMENTS, ...setup })

/** The plan as `--explain` prints it, and the last line. */
async function plan(setup: Partial<WorldSetup> = {}) {
  const created = createWorld({ folder: path(), documents: DOCUMENTS, ...setup })
  const world = setup.wrap?.(created) ?? created
  try {
    const log = world.state.snapshot.logDifferences()
    const outcome = await dryRun(world)
    return {
      explained: formatPlan(outcome, createExplainer(world, outcome.preparation, log)),
      end: formatOutcome(outcome, createRebuildReport(outcome, 7)),
    }
  } finally {
    world.state.snapshot.close()
    world.state.record.close()
  }
}

/** Replaces or removes documents by their ids. */
function edit(changes: Readonly<Record<string, SourceDocument | null>>): readonly SourceDocument[] {
  return DOCUMENTS.flatMap((one) => (one.id in changes ? (changes[one.id] ?? []) : [one]))
}

/** Returns the lines below a page in the explained plan. */
function findCauses(explained: string, page: string): readonly string[] {
  const lines = explained.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`render  ${page}  `)) + 1
  expect(start).toBeGreaterThan(0)
  const length = lines.slice(start).findIndex((line) => !line.startsWith('   '))
  return lines.slice(start, length === -1 ? undefined : start + length).map((line) => line.trim())
}

describe('the plan', () => {
  it('names each page with its action and reason, and says that nothing was changed', async () => {
    await run()
    const documents = [user('ana', 'Otra'), user('new')]
    const { explained, end } = await plan({ documents, options: { isShrinkAllowed: true } })
    const lines = explained.split('\n').filter((line) => /^(render|remove) .*catalogo\//.test(line))
    expect(lines.sort()).toEqual([
      'remove  catalogo/luz.html  (its seller is gone)',
      'render  catalogo/ana.html  (its data changed)',
      'render  catalogo/new.html  (not rendered before)',
    ])
    expect(end).toMatch(
      /^Planned: 2 catalogues and 1 other page to render, 3 to remove, 0 catalogues unchanged\. Nothing was changed\.$/,
    )
  })
})

describe('a removal in the plan', () => {
  const PAGES = { switches: { productPages: true } } as const
  const list = (text: string): readonly string[] =>
    text.split('\n').filter((line) => /^remove|=off$/.test(line))

  it('names the product that is gone', async () => {
    await run(PAGES)
    const { explained } = await plan({ ...PAGES, documents: edit({ p8: null }) })
    expect(list(explained)).toEqual(['remove  catalogo/ana/p8.html  (its product is no longer shown)'])
  })

  it('names the setting that switches its pages off', async () => {
    await run(PAGES)
    const { explained } = await plan()
    expect(list(explained).slice(0, 2)).toEqual([
      'remove  catalogo/ana/404.html  (a setting switches such pages off)',
      '        PRODUCT_PAGES=off',
    ])
    expect(explained).not.toMatch(/is gone|no longer shown/)
  })
})

describe('the plan of --explain', () => {
  it('names the products and fields that changed, with old and new values', async () => {
    await run()
    const documents = [
      ...edit({
        ana: user('ana', 'Ana', 'Gómez'),
        p7: product('p7', 'ana', { name: '9PM', price: 1750.5, available: false, _5ml: { price: 90 } }),
        p8: null,
      }),
      product('p9', 'ana', { name: 'Nuevo' }),
    ]
    const { explained } = await plan({ documents })
    const causes = findCauses(explained, 'catalogo/ana.html')
    expect(causes[0]).toBe('profile: lName "Pérez" → "Gómez"')
    expect(causes[1]).toMatch(
      /^product "9PM" \(p7\): price 1,500 → 1,750\.5, available true → false, _5ml\.price .+ → 90/,
    )
    expect(causes.slice(2)).toEqual(['product "Azul" (p8): removed', 'product "Nuevo" (p9): added'])
    expect(explained).not.toContain('luz')
  })

  it('names both sellers of a product that moved', async () => {
    await run()
    const { explained } = await plan({ documents: edit({ p8: product('p8', 'luz', { name: 'Azul' }) }) })
    expect(findCauses(explained, 'catalogo/ana.html')).toEqual(['product "Azul" (p8): moved to seller luz'])
    expect(findCauses(explained, 'catalogo/luz.html')).toEqual([
      'product "Azul" (p8): moved here from seller ana',
    ])
  })

  it('names what a new seller brings, at most ten documents, and counts the others', async () => {
    await run()
    const products = Array.from({ length: 30 }, (_, index) => product(`n${index + 10}`, 'new', { name: 'N' }))
    const { explained } = await plan({ documents: [...DOCUMENTS, user('new'), ...products] })
    const causes = findCauses(explained, 'catalogo/new.html')
    expect(causes.slice(0, 2)).toEqual(['profile: added', 'product "N" (n10): added'])
    expect(causes.slice(10)).toEqual(['and 21 more'])
  })

  it('names the changes of the sitemap', async () => {
    await run()
    const later = withTime(product('q1', 'luz', { name: 'Ocho' }), '2026-02-03T04:05:06Z')
    const { explained } = await plan({
      documents: [...edit({ p7: null, p8: null, q1: later }), product('z', 'new')],
    })
    expect(explained).toContain('        seller luz: updated at an unknown time → 2026-02-03T04:05:06.000Z')
    expect(explained).toMatch(/remove {2}sitemaps\/[0-9a-f]{2}\.xml/)
    expect(explained).toMatch(
      /render {2}sitemap\.xml {2}\(its data changed\)\n {8}the list of sitemap files has changed/,
    )
  })

  it('names a seller whom the home page links', async () => {
    await run()
    const { explained } = await plan({ documents: [...DOCUMENTS, user('1')] })
    expect(findCauses(explained, 'index.html')).toEqual(['seller 1, to whom the page links: added'])
  })

  it('says that an earlier run read the change', async () => {
    await run()
    const documents = edit({ p7: product('p7', 'ana', { name: '9PM', price: 5 }) })
    const failing: WorldSetup['render'] = () => {
      throw new Error('it broke')
    }
    await run({ documents, render: failing })
    const { explained } = await plan({ documents })
    expect(findCauses(explained, 'catalogo/ana.html')).toEqual([
      expect.stringMatching(/^an earlier run read documents .+ what changed is no longer known$/),
    ])
  })

  it('names the settings and the kinds of code that changed', async () => {
    await run()
    const { explained } = await plan({ code: 'two', siteName: 'Otra' })
    expect(findCauses(explained, 'index.html')).toEqual([
      expect.stringMatching(/^code of the home page: [0-9a-f]{8} → [0-9a-f]{8}$/),
      'SITE_NAME "Vitrina" → "Otra"',
    ])
    expect(findCauses(explained, 'catalogo/ana.html')[0]).toContain('code of catalogue pages')
    expect(findCauses(explained, 'catalogo/luz.html')).toEqual(['likewise'])
  })

  it('names the code of page data, the settings of pictures and a photo of the public folder', async () => {
    const documents = [user('ana'), product('p1', 'ana', { photo: '/a/b.txt' })]
    const change = (world: World): World => ({
      ...world,
      inputs: {
        ...world.inputs,
        publicFiles: { 'favicon.svg': 'x' },
        code: { ...world.inputs.code, pageData: 'f'.repeat(64) },
      },
      state: { ...world.state, pictures: createStorelessPictures({ mode: 'off' }) },
    })
    await run({
      documents,
      wrap: (world) => ({
        ...world,
        state: { ...world.state, pictures: createStorelessPictures({ mode: 'files' }) },
      }),
    })
    const { explained } = await plan({ documents, wrap: change })
    expect(findCauses(explained, 'catalogo/ana.html')).toEqual([
      'photo /a/b.txt: no longer in the public folder',
      'code that makes page data: page data → ffffffff',
      'PHOTOS "files" → "off"',
    ])
  })

  it('names the photo whose small picture changed', async () => {
    const showing = (name: string): WorldSetup['wrap'] => {
      const pictures: Pictures = {
        ...createStorelessPictures({}, (address) =>
          address.endsWith('/p7.jpg')
            ? { type: null, tone: null, sources: [{ path: `fotos/${name}.avif`, width: 1 }] }
            : null,
        ),
        findPreview: () => ({ path: `fotos/${name}.jpg`, width: 496, height: 620 }),
        readVersion: () => ({ identity: '', sequence: name === 'one' ? 1 : 2 }),
        readChanges: () => ['ana'],
        readFile: () => Buffer.from(name),
      }
      return (world) => ({ ...world, state: { ...world.state, pictures } })
    }
    await run({ switches: { productPages: true }, wrap: showing('one') })
    const { explained } = await plan({ switches: { productPages: true }, wrap: showing('two') })
    expect(explained).toContain('catalogo/ana.html  (one of its pictures became ready, changed or was lost)')
    expect(findCauses(explained, 'catalogo/ana/p7.html')).toEqual([
      'photo https://photos.example/p7.jpg: its small picture is new or changed',
    ])
    expect(findCauses(explained, 'catalogo/ana.html')).toEqual(['likewise'])
    expect(explained).not.toContain('catalogo/ana/p8.html')
  })

  it('names files that are missing or changed, and says why every page was checked', async () => {
    await run()
    rmSync(path('dist/catalogo/ana.html'))
    writeFileSync(path('dist/catalogo/luz.html'), 'edited')
    writeFileSync(path('dist/catalogo/stranger.html'), 'mine')
    writeFileSync(path('dist/notes.txt'), 'mine')
    const { explained, end } = await plan({ options: { isVerify: true } })
    expect(end).toMatch(
      /^Checked 1\d files: 2 files missing or changed \(catalogo\/ana\.html, catalogo\/luz\.html\), 1 file not in the record \(catalogo\/stranger\.html\), 1 file not of this site \(notes\.txt\)\.\nPlanned: 2 /,
    )
    expect(explained).toMatch(/^Every page and file was checked: requested with --verify/m)
    expect(findCauses(explained, 'catalogo/ana.html')).toEqual(['its file is missing'])
    expect(findCauses(explained, 'catalogo/luz.html')).toEqual(['its file has changed since it was written'])
  })

  it('explains twenty pages for each reason, and counts the others', async () => {
    const many = Array.from({ length: 50 }, (_, index) => user(`s${index + 10}`))
    await run({ documents: many })
    const documents = many.map(({ id }) => user(id, 'Otra'))
    const { explained } = await plan({ documents: [...documents, user('new')] })
    expect(explained.match(/^render .+its data changed/gm)).toHaveLength(20)
    expect(explained).toContain('and 30 pages more for this reason')
    expect(explained).toContain('render  catalogo/new.html')
  })

  it('shortens long text and removes control characters', async () => {
    await run()
    const name = `x\u001b[31m\u202e\u009b${'y'.repeat(1000)}`
    const documents = edit({
      p7: product('p7', 'ana', { name, photo: `https://x.example/${'z'.repeat(1500)}` }),
      ana: user('ana', name),
    })
    // An id with a control character has no page, but one with a line separator has.
    const { explained } = await plan({
      documents: [...documents, user('a\u2028b')],
      siteName: 'Otra\u009b31m\u202e',
    })
    expect(explained.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u)
    expect(Math.max(...explained.split('\n').map(({ length }) => length))).toBeLessThan(400)
    expect(explained).toContain('catalogo/a b.html')
  })
})
