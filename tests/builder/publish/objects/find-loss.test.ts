/** A store that lacks objects which it had. */
import { expect, it } from 'vitest'
import { findLoss } from '../../../../src/builder/publish/objects/find-loss.ts'

/** A store with the objects of the first `present` of 300 sellers. */
function find(present: number): ReturnType<typeof findLoss> {
  const sellers = Array.from({ length: 300 }, (_, at) => `s${at}`)
  const here = new Set(sellers.slice(0, present))
  const findTag = (name: string) => ({ name, tag: here.has(name) ? 'tag' : null, digest: null })
  return findLoss({ isEmpty: here.size === 0, find: findTag }, sellers)
}

it('has lost its files too, so that what was put since is pushed again', () => {
  expect(find(0)).toEqual({ isFound: true, again: [] })
  expect(find(2)).toEqual({ isFound: true, again: ['s0', 's1'] })
})

it('is not pushed everything again if a person has deleted a few objects', () => {
  expect(find(299)).toEqual({ isFound: true, again: [] })
})

it('is complete', () => {
  expect(find(300)).toEqual({ isFound: false, again: [] })
})
