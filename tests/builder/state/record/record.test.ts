import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileRow, Generation, SiteRecord } from '../../../../src/builder/state/record/record.ts'
import { openRecord } from '../../../../src/builder/state/record/open-record.ts'
import { CODE, GENERATION } from '../../../support/rebuild/recorded.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
let record: SiteRecord

beforeEach(() => {
  record = openRecord(path('record.sqlite'))
})
afterEach(() => record.close())

/** More files than any record of these tests has. */
const MOST = 1_000
const OTHER_CODE: Generation['code'] = { ...CODE, catalogue: 'x' }

function createPage(seller: string, overrides: Partial<FileRow> = {}): FileRow {
  const page = { path: `catalogo/${seller}.html`, kind: 'page', seller, generation: 1 } as const
  return { ...page, data: `data of ${seller}`, digest: `digest of ${seller}`, ...overrides }
}

function createFile(name: string, kind: FileRow['kind'] = 'static', digest = `digest of ${name}`): FileRow {
  return { path: name, kind, seller: null, generation: 1, data: '', digest }
}

/** Returns the digest of a new record with only these files, written in this order. */
function digestOf(rows: readonly FileRow[]): string {
  const fresh = openRecord(':memory:')
  fresh.openGeneration(GENERATION)
  for (const row of rows) fresh.write([row], [])
  const digest = fresh.readDigest()
  fresh.close()
  return digest
}

describe('a generation', () => {
  it('keeps its number while none of its parts change', () => {
    const first = record.openGeneration(GENERATION)
    expect(record.openGeneration({ ...GENERATION })).toBe(first)
    record.close()
    record = openRecord(path('record.sqlite'))
    expect(record.openGeneration(GENERATION)).toBe(first)
  })

  it('gets a higher number for each change, also for a change back', () => {
    const changes = [{ code: OTHER_CODE }, { settings: 'x' }, { runtime: 'x' }]
    const numbers = changes.flatMap((change) => [
      record.openGeneration(GENERATION),
      record.openGeneration({ ...GENERATION, ...change }),
    ])
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  })

  it('returns the sellers with pages of an earlier one', () => {
    const first = record.openGeneration(GENERATION)
    record.write(
      [createPage('ana', { generation: first }), createPage('luz', { generation: first }), createFile('a')],
      [],
    )
    const second = record.openGeneration({ ...GENERATION, code: OTHER_CODE })
    expect(record.readStaleSellers(first)).toEqual([])
    expect(record.readStaleSellers(second)).toEqual(['ana', 'luz'])
    record.moveToGeneration(['catalogo/ana.html'], second)
    expect(record.readStaleSellers(second)).toEqual(['luz'])
    expect(record.findPage('catalogo/ana.html')?.generation).toEqual({ ...GENERATION, code: OTHER_CODE })
    record.moveToGeneration(['catalogo/ana.html'], first)
    expect(record.readStaleSellers(second)).toEqual(['luz'])
  })
})

describe('catalogue pages of an earlier generation', () => {
  const write = (generation: number): void => record.write([createPage('ana', { generation })], [])

  it('are moved to the new one if only the code of other pages changed', () => {
    write(record.openGeneration(GENERATION))
    const home = record.openGeneration({ ...GENERATION, code: { ...CODE, home: 'x' } })
    expect(record.readStaleSellers(home)).toEqual([])
    expect(record.findPage('catalogo/ana.html')?.generation.code.home).toBe('x')
  })

  it.each([{ code: OTHER_CODE }, { settings: 'x' }, { runtime: 'x' }])(
    'are not moved after a change of %j',
    (change) => {
      write(record.openGeneration(GENERATION))
      expect(record.readStaleSellers(record.openGeneration({ ...GENERATION, ...change }))).toEqual(['ana'])
    },
  )

  it('are moved to a later one with the same inputs', () => {
    write(record.openGeneration(GENERATION))
    record.openGeneration({ ...GENERATION, code: OTHER_CODE })
    expect(record.readStaleSellers(record.openGeneration(GENERATION))).toEqual([])
  })
})

describe('the digest of the record', () => {
  const ana = createPage('ana')
  const luz = createPage('luz')
  const file = createFile('a')

  it('equals that of a new record with the same files, regardless of earlier changes', () => {
    record.openGeneration(GENERATION)
    record.write(
      [createPage('ana', { digest: 'older' }), createPage('gone'), createFile('a', 'static', 'older')],
      [],
    )
    record.markUnsure([ana, createPage('half'), createFile('b')])
    record.write([ana, luz], ['catalogo/gone.html'])
    record.markUnsurePaths(['a'])
    record.write([file], ['catalogo/half.html', 'b', 'never'])
    record.write([ana], [])
    expect(record.readDigest()).toBe(digestOf([file, luz, ana]))
    expect(record.readDigest()).toBe(digestOf([ana, luz, file]))
  })

  it('is empty again after the last file is removed', () => {
    const empty = record.readDigest()
    record.write([ana, file], [])
    expect(record.readDigest()).not.toBe(empty)
    record.write([], [ana.path, file.path])
    expect(record.readDigest()).toBe(empty)
  })

  it('depends only on paths and bytes, not on data or generation', () => {
    const same = { ...ana, data: 'other', generation: 7 }
    expect(digestOf([same])).toBe(digestOf([ana]))
    expect(digestOf([{ ...ana, digest: 'other' }])).not.toBe(digestOf([ana]))
    expect(digestOf([{ ...ana, path: 'other' }])).not.toBe(digestOf([ana]))
  })

  it('excludes retained files, and includes them when they are static again', () => {
    const asset = createFile('_astro/x.js')
    const retained: FileRow = { ...asset, kind: 'retained' }
    expect(digestOf([ana, asset, retained])).toBe(digestOf([ana]))
    expect(digestOf([ana, asset, retained, asset])).toBe(digestOf([ana, asset]))
  })

  it('is the same in the next run', () => {
    record.write([ana], [])
    record.close()
    record = openRecord(path('record.sqlite'))
    expect(record.readDigest()).toBe(digestOf([ana]))
  })
})

describe('a picture that no page shows any more', () => {
  it('does not expire while a page may show it again since an interrupted run', () => {
    record.openGeneration(GENERATION)
    const picture = createFile('fotos/a.avif', 'picture')
    record.write([picture, createPage('ana')], [], new Map([['catalogo/ana.html', [picture.path]]]))
    record.write([createPage('ana')], [], new Map())
    record.countPublish(null)
    expect(record.readExpired(MOST)).toEqual([])
    record.markUnsure([picture, createPage('luz')], new Map([['catalogo/luz.html', [picture.path]]]))
    for (let publish = 0; publish < 5; publish += 1) {
      record.countPublish(null)
      expect(record.readExpired(MOST)).toEqual([])
    }
    record.write([createPage('luz')], [], new Map())
    expect(record.readExpired(MOST)).toEqual([picture.path])
  })
  it('expires after three publishes, however many runs there are between them', () => {
    record.openGeneration(GENERATION)
    const picture = createFile('fotos/a.avif', 'picture')
    record.countPublish('v1')
    record.write([picture, createPage('ana')], [], new Map([['catalogo/ana.html', [picture.path]]]))
    record.write([createPage('ana')], [], new Map())
    for (const version of ['v1', 'v2', 'v3']) {
      for (let run = 0; run < 4; run += 1) record.countPublish(version)
      expect(record.readExpired(MOST), version).toEqual([])
    }
    record.countPublish('v4')
    expect(record.readExpired(MOST)).toEqual([picture.path])
  })
  it('expires at once if there are more files than can be published', () => {
    record.openGeneration(GENERATION)
    const [shown, left] = [createFile('fotos/a.avif', 'picture'), createFile('fotos/b.avif', 'picture')]
    const show = (...paths: readonly string[]) => new Map([['catalogo/ana.html', paths]])
    record.write([shown, left, createPage('ana')], [], show(shown.path, left.path))
    record.write([createPage('ana')], [], show(shown.path))
    expect(record.readExpired(3)).toEqual([])
    expect(record.readExpired(2)).toEqual([left.path])
  })
})
