import { describe, expect, it } from 'vitest'
import { createRebuildReport } from '../../../../src/builder/commands/rebuild/rebuild-report.ts'
import { SourceError } from '../../../../src/builder/sources/source.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import type { WorldSetup } from '../../../support/rebuild/world.ts'
import { renderPlain, runInWorld } from '../../../support/rebuild/world.ts'

const path = useTemporaryFolder()

const DOCUMENTS = [user('ana'), product('p1', 'ana'), product('p2', 'ana'), user('luz')]
const run = (setup: Partial<WorldSetup> = {}) =>
  runInWorld({ folder: path(), documents: DOCUMENTS, ...setup })

describe('the report of a rebuild', () => {
  it('counts catalogue pages, sellers, products and documents read', async () => {
    expect(createRebuildReport(await run(), 12)).toMatchObject({
      exit: 0,
      pages: { rendered: 2, unchanged: 0, removed: 0, failed: 0 },
      sellers: 2,
      products: 2,
      rejected: [],
      reads: 4,
      compiled: false,
      ms: 12,
      error: null,
    })
    const next = [user('ana', 'Otra'), product('p1', 'ana'), user('new')]
    const { pages } = createRebuildReport(await run({ documents: next }), 0)
    expect(pages).toEqual({ rendered: 2, unchanged: 0, removed: 1, failed: 0 })
  })

  it('counts each seller once among rendered, unchanged and failed', async () => {
    await run()
    const render: WorldSetup['render'] = (page) => {
      if (page.kind !== 'catalogue') return renderPlain(page)
      throw new Error('no page')
    }
    const documents = [...DOCUMENTS, user('eva'), product('p3', 'luz')]
    const { exit, pages, sellers } = createRebuildReport(await run({ documents, render }), 0)
    expect([exit, sellers]).toEqual([6, 3])
    expect(pages).toEqual({ rendered: 0, unchanged: 1, removed: 0, failed: 2 })
  })

  it('states for each oddity whether its document was left out', async () => {
    const documents = [
      ...DOCUMENTS,
      product('dear', 'ana', { price: 'x' }),
      product('odd', 'ana', { name: 5 }),
    ]
    expect(createRebuildReport(await run({ documents }), 0).rejected).toEqual([
      {
        collection: 'cataloge',
        id: 'dear',
        field: 'price',
        reason: 'is not an amount, such as 3500 or RD$3,500.50',
      },
      { collection: 'cataloge', id: 'odd', field: 'name', reason: 'is not a string (document left out)' },
    ])
  })

  it('has the exit code and the message of an error, and empty counts', () => {
    expect(createRebuildReport(new SourceError('the source is gone'), 5)).toEqual({
      ...createRebuildReport(new Error(''), 5),
      exit: 3,
      error: 'the source is gone',
    })
  })

  it('puts the message of an error on one line without control characters', () => {
    const { error } = createRebuildReport(new Error('bad\u001b[31m\n\u202ename\u009b'), 0)
    expect(error).toBe('bad [31m name')
  })
})
