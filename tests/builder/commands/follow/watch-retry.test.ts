/** `rebuild --watch` in process: retries after a failure, and the lifetime of its options. */
import { expect, it, onTestFinished, vi } from 'vitest'
import type { RebuildReport } from '../../../../src/builder/commands/rebuild/rebuild-report.ts'
import type { World } from '../../../../src/builder/rebuild/world.ts'
import { rebuild } from '../../../../src/builder/rebuild/rebuild.ts'
import { keepWorld } from '../../../../src/builder/commands/follow/kept-world.ts'
import { watchSource } from '../../../../src/builder/commands/follow/watch-source.ts'
import { SourceError } from '../../../../src/builder/sources/source.ts'
import { user, writeFolder } from '../../../support/rebuild/documents.ts'
import { createMemorySource } from '../../../support/rebuild/memory-source.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createWorld } from '../../../support/rebuild/world.ts'
import { edit, makeEmbedded } from '../../sources/embedded-fixture.ts'

const path = useTemporaryFolder()

/** Opens these worlds, one after another. */
function keep(first: World, ...others: readonly World[]) {
  const worlds = [first, ...others].values()
  const open = async () => ({ ...(worlds.next().value ?? first), close: () => {} })
  return { kept: keepWorld(open, () => {}), options: first.options }
}

it('retries a source that failed, even if no change is reported', async () => {
  const world = createWorld({ folder: path(), documents: [user('ana')] })
  const end = new AbortController()
  const exits: number[] = []
  let isDown = true
  await watchSource({
    ...keep({
      ...world,
      openSource: () => {
        if (!isDown) return world.openSource()
        isDown = false
        return Promise.reject(new SourceError('the source is down'))
      },
    }),
    source: { source: writeFolder(path('source'), [user('ana')]), firestore: null },
    perform: rebuild,
    tell: ({ exit }: RebuildReport) => {
      exits.push(exit)
      if (exit === 0) end.abort()
    },
    signal: end.signal,
  })
  expect(exits).toEqual([3, 0])
})

it('waits longer after each failure, up to ten minutes, until a rebuild works; a change ends the wait', async () => {
  const world = createWorld({ folder: path(), documents: [user('ana')] })
  const outcome = await rebuild(world)
  const source = await makeEmbedded(path('data.sqlite'), [user('ana')])
  const end = new AbortController()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  onTestFinished(() => {
    vi.useRealTimers()
    random.mockRestore()
  })
  const times: number[] = []
  const watching = watchSource({
    ...keep(world),
    source: { source, firestore: null },
    perform: async () => {
      times.push(Date.now())
      if (times.length === 14) end.abort()
      if (times.length !== 12) throw new SourceError('the source is down')
      edit(source, `UPDATE documents SET data = '{}'`)
      return outcome
    },
    tell: () => {},
    signal: end.signal,
  })
  while (!end.signal.aborted) await vi.advanceTimersToNextTimerAsync()
  await watching
  const pauses = times.map((time, index) => (time - (times[index - 1] ?? time)) / 1_000)
  expect(pauses).toEqual([0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 0, 2])
})

const MANY = Array.from({ length: 40 }, (_, index) => user(`s${index}`))

/** Watches a source that holds so many sellers at each rebuild, and returns the exit codes. */
async function watchShrinking(left: readonly number[], isShrinkAllowed: boolean): Promise<readonly number[]> {
  const source = writeFolder(path('source'), MANY)
  const world = createWorld({ folder: path(), documents: [], options: { isShrinkAllowed } })
  const memory = createMemorySource()
  const end = new AbortController()
  const exits: number[] = []
  const touch = (): void => void writeFolder(source, MANY.slice(0, left[exits.length]))
  await watchSource({
    ...keep({
      ...world,
      openSource: async () => {
        memory.hold(MANY.slice(0, left[exits.length]))
        return memory
      },
    }),
    source: { source, firestore: null },
    perform: rebuild,
    tell: ({ exit }: RebuildReport) => {
      exits.push(exit)
      if (exits.length === left.length) end.abort()
      else touch()
    },
    signal: end.signal,
  })
  return exits
}

it('accepts one change that removes much of the site, and refuses the next', async () => {
  expect(await watchShrinking([40, 20, 5], true)).toEqual([0, 0, 4])
})

it('waits for the next change after a refused one, and ends although one is refused', async () => {
  expect(await watchShrinking([40, 5, 39, 7], false)).toEqual([0, 4, 0, 4])
})

it('goes on with a new state after its own was found damaged, and gives up if that is damaged too', async () => {
  const documents = [user('ana')]
  const source = writeFolder(path('source'), documents)
  const damage = Object.assign(new Error('database disk image is malformed'), { errcode: 11 })
  const world = createWorld({ folder: path(), documents })
  const fail = () => {
    throw damage
  }
  const broken = {
    ...world,
    state: { ...world.state, record: { ...world.state.record, openGeneration: fail } },
  }
  const end = new AbortController()
  const exits: number[] = []
  const watching = {
    perform: rebuild,
    options: world.options,
    source: { source, firestore: null },
    tell: ({ exit }: RebuildReport) => {
      exits.push(exit)
      end.abort()
    },
    signal: end.signal,
  }
  await expect(watchSource({ ...watching, ...keep(broken, broken) })).rejects.toBe(damage)
  await watchSource({ ...watching, ...keep(broken, world) })
  expect(exits).toEqual([0])
})
