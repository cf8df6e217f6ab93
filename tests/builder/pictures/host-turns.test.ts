import { describe, expect, it } from 'vitest'
import { createHostTurns } from '../../../src/builder/pictures/host-turns.ts'

const WIDTH = 8

interface Simulation {
  /** Start and end of each item, in seconds; those that were skipped are absent. */
  readonly times: ReadonlyMap<string, readonly [start: number, end: number]>
  readonly skipped: readonly string[]
  /** The largest number of items of each host in progress at once. */
  readonly peaks: Readonly<Record<string, number>>
}

/** Plays a queue of items such as `a1`, whose host is `a`. A host takes 1 s; one that `isSilent` names takes 10 s. */
function play(
  items: readonly string[],
  isSilent: (item: string) => boolean,
  findTurn?: (item: string) => number,
): Simulation {
  const findHost = (item: string): string | null => (item.startsWith('/') ? null : item.slice(0, 1))
  const turns = createHostTurns(items, findHost, findTurn)
  const running: { item: string; end: number }[] = []
  const times = new Map<string, readonly [number, number]>()
  const skipped: string[] = []
  const peaks: Record<string, number> = {}
  for (let now = 0; ;) {
    while (running.length < WIDTH) {
      const taken = turns.take()
      if (taken === 'done' || taken === null) break
      if (taken.isSkipped) skipped.push(taken.item)
      else {
        const { item } = taken
        const end = now + (isSilent(item) ? 10 : 1)
        running.push({ item, end })
        times.set(item, [now, end])
        const host = findHost(item) ?? '/'
        const count = running.filter((one) => findHost(one.item) === findHost(item)).length
        peaks[host] = Math.max(peaks[host] ?? 0, count)
      }
    }
    running.sort((a, b) => a.end - b.end)
    const next = running.shift()
    if (next === undefined) return { times, skipped, peaks }
    now = next.end
    turns.end(next.item, isSilent(next.item))
  }
}

const name = (host: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${host}${index}`)

describe('the photos of several hosts', () => {
  it('are all processed once, those of one host in their order', () => {
    const items = [...name('a', 30), ...name('b', 5), ...name('/', 9)]
    const { times, skipped } = play(items, () => false)
    expect([...times.keys()].toSorted()).toEqual(items.toSorted())
    expect(skipped).toEqual([])
    const own = [...times.keys()].filter((item) => item.startsWith('b'))
    expect(own).toEqual(name('b', 5))
  })

  it('are reached although a silent host has many, which ends soon too', () => {
    const items = [...name('a', 24), ...name('b', 24), ...name('/', 4)]
    const { times, skipped, peaks } = play(items, (item) => item.startsWith('a'))
    expect(peaks['b']).toBe(4)
    expect(peaks['a']).toBe(2)
    for (const item of [...name('b', 24), ...name('/', 4)]) expect(times.get(item)?.[1]).toBeLessThan(10)
    // Two at first, one at last; the others are not asked for.
    expect([...times.keys()].filter((item) => item.startsWith('a'))).toHaveLength(3)
    expect(skipped).toHaveLength(21)
    expect(Math.max(...[...times.values()].map(([, end]) => end))).toBe(20)
  })

  it('are all asked for if their host answers the last try', () => {
    const items = name('a', 12)
    const { times, skipped } = play(items, (item) => ['a0', 'a1'].includes(item))
    expect(times.size).toBe(12)
    expect(skipped).toEqual([])
  })

  it('are reached within the first second although three hosts are silent', () => {
    const items = [...name('a', 9), ...name('b', 9), ...name('c', 9), ...name('d', 9)]
    const { times } = play(items, (item) => !item.startsWith('d'))
    expect(times.get('d0')?.[0]).toBe(0)
  })

  it('of a seller with very many hosts come after those of all whose turn is before', () => {
    const many = Array.from({ length: 50 }, (_, index) => `${String.fromCharCode(0x100 + index)}1`)
    const { times } = play(
      [...many, ...name('a', 12)],
      () => false,
      (item) => (item.startsWith('a') ? 0 : 1),
    )
    for (const item of name('a', 12)) expect(times.get(item)?.[0]).toBeLessThan(4)
    expect(times.size).toBe(62)
  })
})
