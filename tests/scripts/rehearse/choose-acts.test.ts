/** Which acts the rehearsal takes when it goes on with one of them. */
import { describe, expect, it } from 'vitest'
import { chooseActs } from '../../../scripts/rehearse/rehearse.ts'

const PATH = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

const list = (from: number): readonly number[] => chooseActs('assets', from).map(({ number }) => number)

describe('going on with an act', () => {
  const all = list(1)

  it('takes the documented path, and then the act and those after it', () => {
    expect(all.length).toBeGreaterThan(PATH.length)
    expect(all).toEqual(all.map((_, index) => index + 1))
    for (const from of [10, 11]) expect(list(from)).toEqual(all)
    expect(list(13)).toEqual([...PATH, ...all.slice(12)])
    expect(list(all.length)).toEqual([...PATH, all.length])
  })

  it('takes the acts too that the act relies on', () => {
    const titles = chooseActs('assets', 18).map(({ title }) => title)
    expect(titles[PATH.length]).toBe('a bad version goes live from the main branch')
    expect(titles).toContain('the hold ends and the code is mended: the next build goes live')
  })

  it('refuses the number of no act', () => {
    expect(() => list(all.length + 1)).toThrow(`this lane has only ${all.length} acts`)
  })
})
