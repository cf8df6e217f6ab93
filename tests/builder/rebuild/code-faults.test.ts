/** The rebuild command with code that fails. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { createPage } from '../../../scripts/audit/pages/built-page.ts'
import { createPolicyCheck, readPolicy } from '../../../scripts/audit/pages/policy.ts'
import { useCodeSite } from '../../support/rebuild/code-site.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { copyCompiled } from '../../support/rebuild/sample-renderer.ts'

const { path, edit, replace, append, build, readPage } = useCodeSite({
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
})

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
