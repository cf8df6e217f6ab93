/** The memory of the listeners answers in place of Firestore, exactly as Firestore would. */
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { openFirestore } from '../../../src/builder/sources/firestore/firestore.ts'
import { followFirestore } from '../../../src/builder/sources/firestore/follow-firestore.ts'
import type { Items, LookedUp, Source } from '../../../src/builder/sources/source.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import type { FirestoreProject } from '../../support/firestore/firestore.ts'
import { useFirestore } from '../../support/firestore/firestore.ts'

const openProject = useFirestore()
let end = new AbortController()
const sources: Source[] = []
afterEach(() => {
  end.abort()
  end = new AbortController()
  for (const source of sources.splice(0)) source.close()
})

const SELLERS = ['ana', 'eva', 'nobody']
const KEYS = ['uno', 'dos', 'none'].map((id) => ({ collection: 'cataloge', id }) as const)

async function collect(items: Items<LookedUp>): Promise<readonly string[]> {
  const texts: string[] = []
  for await (const item of items) texts.push(JSON.stringify(item))
  return texts.sort()
}

/** Reads the source and the memory of the listeners. `asked` counts the questions to the source. */
async function follow(project: FirestoreProject) {
  const troubles: string[] = []
  const told: (readonly string[] | null)[] = []
  const cover = await followFirestore(project.options, {
    signal: end.signal,
    onChange: (sellers) => told.push(sellers),
    onTrouble: (message) => troubles.push(message),
  })
  const source = await openFirestore(project.options)
  sources.push(source)
  let asked = 0
  const counted: Source = Object.assign(Object.create(source), {
    readSellers: (names: readonly string[]) => {
      asked += 1
      return source.readSellers(names)
    },
  })
  const covered = cover(counted)
  const both = async () => ({
    memory: await collect(covered.readSellers(SELLERS)),
    source: await collect(source.readSellers(SELLERS)),
    documents: await collect(covered.readDocuments(KEYS)),
    sourceDocuments: await collect(source.readDocuments(KEYS)),
  })
  const waitForChange = async (): Promise<readonly string[] | null | undefined> => {
    while (told.length === 0) await wait(5)
    return told.shift()
  }
  return { both, waitForChange, troubles, covered, asked: () => asked }
}

describe('the mirror of Firestore', () => {
  it('returns the same documents as Firestore after each kind of change, without a read', async () => {
    const project = openProject()
    await project.write([user('ana'), product('uno', 'ana'), product('dos', 'ana'), user('eva')])
    const { both, waitForChange, asked } = await follow(project)
    const same = async (): Promise<void> => {
      const { memory, source, documents, sourceDocuments } = await both()
      expect(memory).toEqual(source)
      expect(documents).toEqual(sourceDocuments)
    }
    await same()
    const changes: readonly (readonly [() => Promise<void>, readonly string[]])[] = [
      [() => project.write([product('uno', 'ana', { price: 5 })]), ['ana']],
      [() => project.write([product('uno', 'eva')]), ['ana', 'eva']],
      [() => project.write([user('eva', 'Otra')]), ['eva']],
      [() => project.remove([{ collection: 'cataloge', id: 'dos' }]), ['ana']],
      [() => project.remove([{ collection: 'users', id: 'ana' }]), ['ana']],
      [() => project.write([product('tres', 'nobody')]), ['nobody']],
    ]
    for (const [change, sellers] of changes) {
      await change()
      expect([...((await waitForChange()) ?? [])].sort()).toEqual(sellers)
      await same()
    }
    expect(asked()).toBe(0)
  })

  it('names only the old seller of a product without an owner, and reports it', async () => {
    const project = openProject()
    await project.write([user('ana'), product('uno', 'ana')])
    const { both, waitForChange, troubles, covered } = await follow(project)
    await project.write([product('uno', 'ana', { owner: 'ana' })])
    expect(await waitForChange()).toEqual(['ana'])
    expect(troubles).toEqual([expect.stringContaining('cataloge/uno has no owner.id')])
    expect(await collect(covered.readSellers(['ana']))).toContainEqual(expect.stringContaining('"id":"uno"'))
    const { memory, source } = await both()
    expect(memory).toEqual(source)
  })

  it('names no seller for a new product without an owner, which the next read reports', async () => {
    const project = openProject()
    await project.write([user('ana'), product('uno', 'ana')])
    const { waitForChange, covered } = await follow(project)
    await project.write([product('dos', 'ana', { owner: 7 })])
    await project.write([product('uno', 'ana', { price: 5 })])
    expect(await waitForChange()).toEqual(['ana'])
    expect(await collect(covered.readSellers(['ana']))).toContainEqual(expect.stringContaining('"id":"dos"'))
  })

  it('still reports a product without an owner after a change of the profile with the same id', async () => {
    const project = openProject()
    await project.write([user('ana')])
    const { waitForChange, covered, troubles } = await follow(project)
    await project.write([product('ana', 'ana', { owner: 7 })])
    await expect.poll(() => troubles).toHaveLength(1)
    await project.write([user('ana', 'Otra')])
    expect(await waitForChange()).toEqual(['ana'])
    expect(await collect(covered.readSellers(['ana']))).toContainEqual(
      expect.stringContaining('"collection":"cataloge","id":"ana"'),
    )
  })
})
