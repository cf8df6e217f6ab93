/** The lane `objects`: no page of a seller in the output folder, and a list of the sellers to deliver. */
import { afterEach, describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { Pictures } from '../../../src/builder/pictures/pictures.ts'
import { createStorelessPictures, NOTHING_PREPARED } from '../../../src/builder/pictures/pictures.ts'
import type { RebuildOutcome } from '../../../src/builder/rebuild/rebuild.ts'
import { rebuild } from '../../../src/builder/rebuild/rebuild.ts'
import type { World } from '../../../src/builder/rebuild/world.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { readFiles, readFileStamps } from '../../support/run/files.ts'
import { createMemorySource } from '../../support/rebuild/memory-source.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { createWorld } from '../../support/rebuild/world.ts'
import { settleAll } from '../../support/rebuild/settle-all.ts'

const path = useTemporaryFolder()

const DOCUMENTS: readonly SourceDocument[] = [
  user('1', 'Uno', ''),
  user('ana', 'Ana', ''),
  product('a1', 'ana'),
  product('a2', 'ana'),
  product('e1', 'eva'),
]

const open: World[] = []
afterEach(() => {
  for (const { state } of open.splice(0)) for (const one of [state.snapshot, state.record]) one.close()
})

function createIn(folder: string, setup: Partial<WorldSetup> = {}): World {
  const world = createWorld({
    folder: path(folder),
    documents: DOCUMENTS,
    lane: 'objects',
    switches: { productPages: true },
    ...setup,
  })
  open.push(world)
  return world
}

async function run(folder: string, setup?: Partial<WorldSetup>): Promise<RebuildOutcome> {
  return rebuild(createIn(folder, setup))
}

const listPages = (folder: string): readonly string[] =>
  Object.keys(readFiles(path(folder, 'dist'))).filter((file) => /\.(html|xml)$/.test(file))

function deliverAll({ state: { snapshot } }: World, target = 'http://localhost'): void {
  snapshot.waits.register('store', target)
  settleAll(snapshot, 'store')
}

describe('the output folder', () => {
  it('holds no page of a seller, no home page and no sitemap', async () => {
    const outcome = await run('one')
    expect(listPages('one')).toEqual(['404.html', 'catalogo/404.html'])
    expect(Object.keys(readFiles(path('one/dist')))).toEqual(
      expect.arrayContaining(['_headers', 'robots.txt', 'favicon.svg', '_astro/shared.js']),
    )
    expect(outcome.failures).toEqual([])
  })

  it('is that of a clean build of each lane after a change of the lane, and back', async () => {
    await run('moved', { lane: 'assets' })
    await run('moved')
    await run('objects')
    expect(readFiles(path('moved/dist'))).toEqual(readFiles(path('objects/dist')))
    await run('moved', { lane: 'assets' })
    await run('assets', { lane: 'assets' })
    expect(readFiles(path('moved/dist'))).toEqual(readFiles(path('assets/dist')))
  })

  it('is not touched by a changed seller', async () => {
    await run('one')
    const before = readFileStamps(path('one/dist'))
    const outcome = await run('one', { documents: [...DOCUMENTS, product('a3', 'ana')] })
    expect(readFileStamps(path('one/dist'))).toEqual(before)
    expect(outcome.isTouched).toBe(false)
  })
})

describe('the sellers to deliver', () => {
  it('wait until they are delivered', async () => {
    await run('one')
    expect((await run('one')).waiting).toBe(3)
    deliverAll(createIn('one'))
    expect((await run('one')).waiting).toBe(0)
    await run('one', { documents: DOCUMENTS.slice(0, 4) })
    expect((await run('one', { documents: DOCUMENTS.slice(0, 4) })).waiting).toBe(1)
  })

  it('are those whose documents changed or went, and no others are read', async () => {
    await run('one')
    deliverAll(createIn('one'))
    const read: string[] = []
    const world = createIn('one')
    const source = createMemorySource([...DOCUMENTS.slice(0, 4), product('a3', 'ana')])
    const { snapshot } = world.state
    await rebuild({
      ...world,
      state: {
        ...world.state,
        snapshot: {
          ...snapshot,
          readCatalogue: (seller) => (read.push(seller), snapshot.readCatalogue(seller)),
        },
      },
      openSource: async () => ({
        ...source,
        readChanges: () => ({ kind: 'sellers', sellers: ['ana', 'eva'], documents: [], isExact: false }),
      }),
    })
    expect(snapshot.waits.list('store')).toEqual(['ana', 'eva'])
    expect(read.filter((seller) => seller === '1')).toEqual([])
  })

  it('are all that a source names, also with documents as known: another builder may have read others', async () => {
    await run('one')
    deliverAll(createIn('one'))
    const world = createIn('one', { options: { sellers: ['eva'] } })
    await rebuild(world)
    expect(world.state.snapshot.waits.list('store')).toEqual(['eva'])
  })

  it('are also those whose pictures changed, which are kept before the picture store forgets them', async () => {
    await run('one')
    deliverAll(createIn('one'))
    const world = createIn('one')
    const order: string[] = []
    const pictures: Pictures = {
      ...createStorelessPictures({}),
      readVersion: () => ({ identity: '', sequence: 1 }),
      readChanges: () => ['ana'],
      forgetChanges: () => void order.push(world.state.snapshot.waits.list('store').join()),
    }
    await rebuild({ ...world, state: { ...world.state, pictures } })
    expect(order).toEqual(['ana'])
  })

  it('get their pictures before they are delivered', async () => {
    await run('one')
    deliverAll(createIn('one'))
    const world = createIn('one', { documents: [...DOCUMENTS, product('a3', 'ana')] })
    const prepared: string[] = []
    const pictures: Pictures = {
      ...createStorelessPictures({}),
      prepare: async (catalogues) => {
        prepared.push(...[...catalogues].map(({ seller }) => seller))
        return NOTHING_PREPARED
      },
    }
    await rebuild({ ...world, state: { ...world.state, pictures } })
    expect(prepared).toEqual(['ana'])
  })
})

describe('a comparison of the store', () => {
  const isCompared = (): boolean => createIn('one').state.snapshot.waits.isCompared('store')
  const deliver = async (): Promise<void> => {
    await run('one')
    deliverAll(createIn('one'))
  }

  it('waits from the first rebuild on, until it is done', async () => {
    await run('one')
    expect(isCompared()).toBe(true)
    deliverAll(createIn('one'))
    await run('one', { documents: DOCUMENTS.slice(0, 4) })
    expect(isCompared()).toBe(false)
  })

  it('waits after lane assets, whose changes wait for files', async () => {
    await deliver()
    await run('one', { lane: 'assets' })
    expect(createIn('one').state.snapshot.waits.readBasis('store')).toBeNull()
    await run('one')
    expect(isCompared()).toBe(true)
  })

  it('waits when objects go to another site', async () => {
    await deliver()
    const { waits } = createIn('one').state.snapshot
    waits.register('store', 'http://localhost')
    expect(isCompared()).toBe(false)
    waits.register('store', 'https://other.do')
    expect(isCompared()).toBe(true)
  })

  it('waits when the data of all objects may be other: by its code or settings', async () => {
    await deliver()
    const world = createIn('one')
    const code = { ...world.inputs.code, pageData: 'other' }
    await rebuild({ ...world, inputs: { ...world.inputs, code } })
    expect(isCompared()).toBe(true)
  })

  it('waits when the snapshot was replaced by one of another time', async () => {
    await deliver()
    const world = createIn('one')
    world.state.snapshot.writeLink('other')
    await rebuild(world)
    expect(isCompared()).toBe(true)
  })
})
