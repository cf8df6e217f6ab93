/** A whole read of an embedded database parses only documents whose text changed, and gives what a first read gives. */
import { beforeEach, expect, it } from 'vitest'
import { readSource } from '../../../../src/builder/rebuild/read/read-source.ts'
import { importFolder } from '../../../../src/builder/sources/embedded/interchange.ts'
import { openEmbedded } from '../../../../src/builder/sources/embedded/embedded.ts'
import type { Items, Source } from '../../../../src/builder/sources/source.ts'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import { product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import { readContent } from '../../../support/rebuild/snapshot-content.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { edit } from '../../sources/embedded-fixture.ts'

const path = useTemporaryFolder()

const DOCUMENTS = [
  user('ana'),
  user('luz'),
  product('p1', 'ana'),
  product('p2', 'ana', { price: 'not a number' }),
  product('p3', 'luz'),
]

beforeEach(async () => {
  writeFolder(path('folder'), DOCUMENTS)
  await importFolder(path('folder'), path('shop.sqlite'))
})

interface Outcome {
  /** Ids of the documents that were parsed. */
  readonly parsed: readonly string[]
  readonly content: unknown
}

/** Reads everything into the snapshot of this name. */
async function readAll(name: string, intake = 'code'): Promise<Outcome> {
  const parsed: string[] = []
  const snapshot = openSnapshot(path(name))
  const source = openEmbedded(path('shop.sqlite'))
  try {
    const options = {
      sellers: [],
      isFull: true,
      intake,
      accept: () => {},
      progress: () => {},
    }
    const { reads } = await readSource(noteParsed(source, parsed), snapshot, options)
    return { parsed, content: { reads, ...readContent(snapshot) } }
  } finally {
    snapshot.close()
    source.close()
  }
}

function noteParsed(source: Source, parsed: string[]): Source {
  async function* note<T extends { kind: string }>(items: Items<T>): AsyncGenerator<T> {
    for await (const item of items) {
      if ('document' in item) parsed.push((item.document as { id: string }).id)
      yield item
    }
  }
  const { readModified } = source
  return {
    ...source,
    readAll: () => note(source.readAll()),
    ...(readModified && { readModified: (isUnchanged) => note(readModified(isUnchanged)) }),
  }
}

const set = (id: string, change: string) => `UPDATE documents SET data = ${change} WHERE id = '${id}'`

it.each([
  ['nothing', 'SELECT 1', ['p2']],
  ['a price', set('p1', "json_set(data, '$.price', 7)"), ['p1', 'p2']],
  ['a price that becomes invalid', set('p3', "json_set(data, '$.price', 'x')"), ['p2', 'p3']],
  ['a price that becomes valid', set('p2', "json_set(data, '$.price', 5)"), ['p2']],
  ['an owner', set('p3', "json_set(data, '$.owner.id', 'ana')"), ['p2', 'p3']],
  ['only the form of the text', set('p1', "' ' || data"), ['p1', 'p2']],
  ['a time', "UPDATE documents SET update_time = '2026-01-01T00:00:00Z' WHERE id = 'p1'", ['p1', 'p2']],
  [
    'a new document',
    "INSERT INTO documents (collection, id, data) SELECT collection, 'p9', data FROM documents WHERE id = 'p1'",
    ['p2', 'p9'],
  ],
])('of %s', async (_, sql, parsed) => {
  await readAll('kept.sqlite')
  edit(path('shop.sqlite'), sql)
  const kept = await readAll('kept.sqlite')
  expect(kept.content).toEqual((await readAll('new.sqlite')).content)
  expect(kept.parsed).toEqual(parsed)
  expect((await readAll('kept.sqlite')).parsed).toEqual(
    sql.includes("'x'") ? ['p2', 'p3'] : sql.includes('5)') ? [] : ['p2'],
  )
})

it('after a deletion parses everything once more, to find what is gone', async () => {
  await readAll('kept.sqlite')
  edit(path('shop.sqlite'), "DELETE FROM documents WHERE id = 'p3'")
  const kept = await readAll('kept.sqlite')
  expect(kept.content).toEqual((await readAll('new.sqlite')).content)
  expect(kept.parsed).toEqual(['p2', 'ana', 'luz', 'p1', 'p2'])
})

it('after a deletion and an addition too', async () => {
  await readAll('kept.sqlite')
  edit(path('shop.sqlite'), "UPDATE documents SET id = 'p0' WHERE id = 'p3'")
  const kept = await readAll('kept.sqlite')
  expect(kept.content).toEqual((await readAll('new.sqlite')).content)
})

it('of other code parses everything', async () => {
  await readAll('kept.sqlite')
  expect((await readAll('kept.sqlite', 'other')).parsed).toHaveLength(DOCUMENTS.length)
})
