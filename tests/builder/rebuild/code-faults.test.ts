/** The rebuild command with code that fails, and that is damaged. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createPage } from '../../../scripts/audit/pages/built-page.ts'
import { createPolicyCheck, readPolicy } from '../../../scripts/audit/pages/policy.ts'
import { POOL_FROM } from '../../../src/builder/rebuild/plan/plan-site.ts'
import { readInputManifest } from '../../../src/builder/renderer/fingerprint.ts'
import { hashManifest } from '../../../src/builder/state/manifest.ts'
import { useCodeSite } from '../../support/rebuild/code-site.ts'
import { readReport, runBadly } from '../../support/rebuild/faults/crash-run.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { readFiles } from '../../support/run/files.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { listFlags, runRebuild } from '../../support/rebuild/rebuild.ts'
import { copyCompiled } from '../../support/rebuild/sample-renderer.ts'

const { path, base, place, edit, replace, append, build, readPage } = useCodeSite({
  documents: [user('ana'), product('uno', 'ana'), user('eva'), product('dos', 'eva')],
  create: copyCompiled,
})

describe('code', () => {
  it('changes nothing when it does not compile, and says why', async () => {
    const before = readPage()
    // Astro then colours its messages, which hides where a line begins.
    vi.stubEnv('CI', 'true')
    replace('src/site/components/catalogue/ProductCard.astro', '---\n', '---\nconst = 5\n')
    const { report } = await build()
    expect(report.exit).toBe(70)
    expect(report.error).toMatch(/^The code does not compile: .*\n.*Unexpected token/)
    expect(report.error).not.toMatch(/node_modules|Stack trace/)
    expect(report.error).not.toContain('Building server entrypoints')
    expect(readPage()).toBe(before)
    replace('src/site/components/catalogue/ProductCard.astro', 'const = 5\n', '')
    expect((await build()).report).toMatchObject({ exit: 0, compiled: false, pages: { rendered: 0 } })
  })

  it('keeps the old version of a page that throws, renders the others, also with chunks that are split differently, and tries again', async () => {
    const before = readPage('eva')
    addSecondIsland()
    replace(
      'src/site/layouts/CatalogueScreen.astro',
      '---\n',
      "---\nif (Astro.locals.page.kind === 'catalogue' && Astro.locals.page.catalogue.seller.startsWith('eva')) throw new Error('broken on purpose')\n",
    )
    append('src/site/styles/base.css', '\n.yet-another { color: red }\n')
    append('src/site/islands/catalogue/first-tap.ts', "\ndispatchEvent(new Event('yet another'))\n")
    for (const _ of ['first', 'again']) {
      // A broken reference would refuse the site.
      const { report, stderr } = await build('--verify')
      expect(report).toMatchObject({ exit: 6, pages: { failed: 1 } })
      expect(stderr).toContain('broken on purpose')
      expect(readPage('eva')).toBe(before)
    }
    expect(['eva', 'ana'].map((page) => findRefused(page))).toEqual([[], []])
    expect(readFileSync(path('dist/404.html'), 'utf8')).toContain('component-export="Second"')
    // The home screen has no other of these changes.
    expect(readFileSync(path('dist/index.html'), 'utf8')).toContain('.yet-another')
  })

  it.each([
    ['entry', 'workers', POOL_FROM],
    ['chunk of catalogues', 'workers', POOL_FROM],
    ['chunk of catalogues', 'one thread', 2],
  ])('whose compiled %s is damaged is compiled again before %s render with it', async (part, _, count) => {
    const sellers = Array.from({ length: count }, (__, index) => user(`s${index}`))
    const many = place('many', 'many-state')
    const source = writeFolder(path('many-source'), sellers)
    expect((await runRebuild({ ...many, source })).report.exit).toBe(0)
    const before = readFiles(path('many'))
    const renderer = join('project/.vitrina/renderers', hashManifest(readInputManifest(path('project'))))
    const file = part === 'entry' ? 'server/entry.mjs' : findChunk(renderer, '_id_')
    writeFileSync(path(renderer, file), 'x'.repeat(statSync(path(renderer, file)).size))
    const args = ['rebuild', ...listFlags({ ...many, source }), '--json', '--full']
    // A compile takes many times as long as the test: its result is there.
    const run = await runBadly({
      project: path('project'),
      args,
      preload: join(ROOT, 'tests/support/rebuild/faults/known-compile.ts'),
      env: { VITRINA_TEST_COMPILED: base(renderer) },
    })
    expect(readReport(run), run.stderr).toMatchObject({ exit: 0, pages: { failed: 0 } })
    expect(readFileSync(path(renderer, file), 'utf8')).toBe(readFileSync(base(renderer, file), 'utf8'))
    expect(readFiles(path('many'))).toEqual(before)
  })
})

/** Returns the path of the chunk that the compiled page of this name is loaded from, relative to the renderer. */
function findChunk(renderer: string, page: string): string {
  const chunk = readdirSync(base(renderer, 'server/chunks')).find((name) => name.startsWith(`${page}_`))
  return `server/chunks/${chunk}`
}

/** Another page shares code with the islands of catalogues. */
function addSecondIsland(): void {
  const island =
    "import { useStore } from '@nanostores/react'\nimport { $shown } from '../stores/shown-view.ts'\n"
  writeFileSync(
    path('project/src/site/islands/Second.tsx'),
    `${island}export function Second() { return <output>{useStore($shown)?.view.filter}</output> }\n`,
  )
  edit('src/site/pages/404.astro', (code) =>
    code
      .replace('---\n', "---\nimport { Second } from '../islands/Second.tsx'\n")
      .replace('<BackHome />', '<BackHome /><Second client:load />'),
  )
}

/** Returns the inline code of a page that the policy refuses. */
function findRefused(page: string): readonly string[] {
  const check = createPolicyCheck(readPolicy(readFileSync(path('dist/_headers'), 'utf8')))
  return check(createPage(page, 'catalogue', readPage(page)))
}
