import { rmSync, writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import type { RebuildOutcome } from '../../../../src/builder/rebuild/rebuild.ts'
import { createRebuildReport } from '../../../../src/builder/commands/rebuild/rebuild-report.ts'
import { formatOutcome } from '../../../../src/builder/commands/rebuild/format-rebuild.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import type { WorldSetup } from '../../../support/rebuild/world.ts'
import { renderPlain, runInWorld } from '../../../support/rebuild/world.ts'

const path = useTemporaryFolder()

const DOCUMENTS: readonly SourceDocument[] = [user('ana'), product('p1', 'ana'), user('luz')]

const run = (setup: Partial<WorldSetup> = {}) =>
  runInWorld({ folder: path(), documents: DOCUMENTS, ...setup })
const say = (outcome: RebuildOutcome, ms = 7): string =>
  formatOutcome(outcome, createRebuildReport(outcome, ms))

describe('the report for people', () => {
  it('counts pages, sellers, products and documents', async () => {
    const words = say(await run())
    expect(words).toMatch(/catalogues +2 rendered, 0 unchanged, 0 removed, 0 failed/)
    expect(words).toMatch(/others +6 rendered, 0 removed, 0 failed/)
    expect(words).toMatch(/site +2 sellers, 1 product$/m)
    expect(words).toMatch(/source +3 documents read \(first read\)/)
    expect(words).toMatch(/time +7 ms/)
  })

  it('is one line if there is nothing to do', async () => {
    await run()
    expect(say(await run(), 1234)).toMatch(
      /^Nothing to do: 2 catalogues up to date, 3 documents read \(.+\), 1\.2 s\.$/,
    )
  })

  it('says that the code changed, even if an earlier run compiled it', async () => {
    await run()
    const outcome = await run({ code: 'other' })
    const report = createRebuildReport(outcome, 7)
    expect(formatOutcome(outcome, { ...report, compiled: true })).toMatch(/code +compiled$/m)
    expect(formatOutcome(outcome, { ...report, compiled: false })).toMatch(/code +changed, compiled before$/m)
  })

  it('names the addresses that were rendered, catalogues first, and counts the others', async () => {
    const sellers = Array.from({ length: 9 }, (_, index) => user(`s${index}`))
    const many = say(await run({ documents: sellers }))
    expect(many).toMatch(
      /rendered +\/catalogo\/s0\n +\/catalogo\/s1\n(?: +\/catalogo\/s\d\n){3} +and 9 more\n/,
    )
    const documents = [...sellers, user('perfumería & más')]
    expect(say(await run({ documents }))).toMatch(
      /rendered +\/catalogo\/perfumer%C3%ADa%20%26%20m%C3%A1s\n +time/,
    )
    expect(say(await run({ documents, siteName: 'Otra' }))).toMatch(/and 8 more/)
  })

  it('names each page of a seller by its own address, her feed last', async () => {
    const switches = { productPages: true, feeds: true }
    const name = String.raw`\/catalogo\/ana`
    const rows = ['', String.raw`\/p1`, String.raw`\/404`, String.raw`\/feed\.xml`].map((end) => name + end)
    await run({ documents: DOCUMENTS.slice(2), switches })
    expect(say(await run({ switches }))).toMatch(new RegExp(`rendered +${rows.join(String.raw`\n +`)}\n`))
  })

  it('names the setting that renders every page again', async () => {
    const siteName = 'Otra'
    await run()
    expect(say(await run({ siteName }))).toMatch(/^ +settings +SITE_NAME ".+" → "Otra"$/m)
    await run({ siteName })
    expect(say(await run({ siteName, documents: [user('ana', 'Eva'), ...DOCUMENTS.slice(1)] }))).not.toMatch(
      /^ +settings/m,
    )
  })

  it('names whole addresses when the site has one', async () => {
    const siteUrl = 'https://vitrina.do'
    await run({ siteUrl })
    expect(say(await run({ siteUrl, documents: [user('ana', 'Otra'), ...DOCUMENTS.slice(1)] }))).toMatch(
      /rendered +https:\/\/vitrina\.do\/catalogo\/ana\n +time/,
    )
  })

  it('does not name pages that failed as rendered', async () => {
    const render: WorldSetup['render'] = (page) => {
      if (page.kind === 'catalogue') throw new Error('it broke')
      return renderPlain(page)
    }
    expect(say(await run({ render }))).not.toContain('/catalogo/ana\n')
  })

  it('names only the stages that took at least a hundredth of the time', async () => {
    const outcome = await run()
    const timings = [
      { stage: 'read', ms: 500 },
      { stage: 'plan', ms: 9 },
      { stage: 'render', ms: 10 },
    ] as const
    expect(say({ ...outcome, timings }, 1000)).toMatch(/time +1\.0 s \(read 500 ms, render 10 ms\)$/)
    expect(say({ ...outcome, timings: [] }, 1000)).toMatch(/time +1\.0 s$/)
  })

  it('counts what a clean check looked at', async () => {
    await run()
    expect(say(await run({ options: { isVerify: true } }))).toMatch(
      /^Nothing to do: .+\nChecked 1\d files and 0 references: all as recorded\.$/,
    )
  })

  it('names what a check repaired and removed', async () => {
    await run()
    writeFileSync(path('dist/catalogo/ana.html'), 'edited')
    rmSync(path('dist/favicon.svg'))
    writeFileSync(path('dist/catalogo/stranger.html'), 'mine')
    writeFileSync(path('dist/CNAME'), 'mine')
    const words = say(await run({ options: { isVerify: true } }))
    expect(words).toMatch(/checked +1\d files and 0 references\n/)
    expect(words).toMatch(
      /repaired +2 files that were missing or changed: catalogo\/ana\.html, favicon\.svg\n/,
    )
    expect(words).toMatch(/deleted +1 file that is not part of the site: catalogo\/stranger\.html\n/)
    expect(words).toMatch(/foreign +1 file not of this site, left alone and never published: CNAME\n/)
    expect(say(await run({ options: { isVerify: true } }))).toMatch(
      /^Nothing to do: [^]*Foreign: 1 file .*: CNAME\.$/,
    )
  })

  it('names pages that failed and oddities of documents, each with its reason', async () => {
    const render: WorldSetup['render'] = (page) => {
      if (page.kind === 'catalogue') throw new Error('it broke')
      return renderPlain(page)
    }
    const documents = [...DOCUMENTS, product('dear', 'ana', { price: 'x' })]
    const words = say(await run({ documents, render }))
    expect(words).toContain('2 pages failed; each keeps its old version, if it has one:')
    expect(words).toContain('catalogo/ana.html: it broke')
    expect(words).toContain(
      '1 oddity in documents:\n  1 × price: is not an amount, such as 3500 or RD$3,500.50 (cataloge/dear)',
    )
  })

  it('sums up oddities by kind, with the first three documents', async () => {
    const two = Array.from({ length: 1023 }, (_, index) => product(`a${index}`, 'ana', { price: '1 / 2' }))
    const words = say(await run({ documents: [...DOCUMENTS, product('odd', 'ana', { name: 5 }), ...two] }))
    expect(words).toContain(
      [
        '1,024 oddities in documents:',
        '  1,023 × price: has two prices in one field (cataloge/a0, cataloge/a1, cataloge/a10, …)',
        '  1 × name: is not a string (document left out) (cataloge/odd)',
        '  --json lists each document',
      ].join('\n'),
    )
  })
})

describe('text from documents', () => {
  const ESCAPES = [
    '\u001b[2J\u001b[31m',
    '\u009b2J',
    '\u0007',
    '\r',
    '\n',
    '\u0000',
    '\u007f',
    '\u202e',
    '\u2066',
    '\ufeff',
  ]
  // An id with a control character has no page, but one with a line separator has.
  const documents = [
    ...DOCUMENTS,
    user('luz\u2028gnp'),
    ...ESCAPES.flatMap((escape, index) => [
      product(`id${index}${escape}`, 'ana', { price: 'x', available: `${escape}!`, photo: `${escape}x` }),
      product(`owner${index}`, `${escape}/`),
      user(`${escape}/${index}`),
    ]),
  ]
  const render: WorldSetup['render'] = (page) => {
    if (page.kind === 'catalogue') throw new Error(`cannot render ${ESCAPES.join(' ')}${renderPlain(page)}`)
    return renderPlain(page)
  }

  /** Nothing but lines of plain text: no control character, no mark that turns what follows. */
  function expectPlain(words: string): void {
    expect(words.replaceAll('\n', '')).not.toMatch(
      /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u,
    )
    expect(stripVTControlCharacters(words)).toBe(words)
  }

  it('adds no control character and no line to the report', async () => {
    const outcome = await run({ documents, render })
    expect(outcome.failures).not.toHaveLength(0)
    expect(outcome.problems.length).toBeGreaterThan(20)
    const words = say(outcome)
    expectPlain(words)
    expect(words).toContain('catalogo/luz gnp.html')
    // Failures, kinds of oddities, five addresses, and a row each for catalogues, others, site, source, code and time.
    const kinds = new Set(outcome.problems.map(({ field, reason, fatal }) => `${field} ${reason} ${fatal}`))
    const expected = 1 + outcome.failures.length + 1 + kinds.size + 1 + 5 + 6
    expect(words.split('\n')).toHaveLength(expected)
  })

  it('is shortened', async () => {
    const long = product('long', 'ana', { available: 'x'.repeat(1_000_000) })
    const lines = say(await run({ documents: [...DOCUMENTS, long] })).split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(600)
  })
})
