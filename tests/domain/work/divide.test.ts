import { expect, test } from 'vitest'
import { divide } from '../../../src/domain/work/divide.ts'

const weight = { most: 10, measure: (item: number) => item }

test('a batch has at most so many items', () => {
  expect([...divide([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]])
  expect([...divide([1, 2], 2)]).toEqual([[1, 2]])
  expect([...divide([], 2)]).toEqual([])
})

test('a batch stays within each limit, unless it is one item', () => {
  const count = { most: 2, measure: () => 1 }
  expect([...divide([4, 6, 1], 9, weight)]).toEqual([[4, 6], [1]])
  expect([...divide([11, 1, 12], 9, weight)]).toEqual([[11], [1], [12]])
  expect([...divide([1, 1, 1, 9, 2], 9, weight, count)]).toEqual([[1, 1], [1, 9], [2]])
})

test('items are taken one at a time', () => {
  const taken: number[] = []
  function* take(): Generator<number> {
    for (const item of [1, 2, 3, 4]) {
      taken.push(item)
      yield item
    }
  }
  divide(take(), 2).next()
  expect(taken).toEqual([1, 2, 3])
})
