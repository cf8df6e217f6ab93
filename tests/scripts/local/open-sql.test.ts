/** SQLite as a Durable Object has it: what the service refuses is refused, although the local runtime takes it. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openSql } from '../../../scripts/local/open-sql.ts'

const { exec } = openSql(new DatabaseSync(':memory:'))
const bind = (count: number): readonly [string, ...number[]] => [
  `SELECT ${Array.from({ length: count }, () => '?').join('+')}`,
  ...Array.from({ length: count }, () => 1),
]

it('takes 100 values and texts of 2 MB', () => {
  expect(exec(...bind(100)).toArray()).toHaveLength(1)
  expect(exec('SELECT length(?) AS size', 'x'.repeat(2_000_000)).toArray()).toEqual([{ size: 2_000_000 }])
})

it('refuses more of both, and long statements', () => {
  expect(() => exec(...bind(101))).toThrow('too many values')
  expect(() => exec('SELECT ?', 'ñ'.repeat(1_000_001))).toThrow('too big')
  expect(() => exec(`SELECT '${'x'.repeat(100_000)}'`)).toThrow('too long')
})

it('refuses functions of many arguments, long patterns, and rows that are larger than any', () => {
  const call = (count: number): string =>
    `SELECT max(${Array.from({ length: count }, () => "','").join()}) AS most`
  expect(exec(call(32)).toArray()).toEqual([{ most: ',' }])
  expect(() => exec(call(33))).toThrow('too many arguments')
  expect(() => exec('SELECT ? WHERE ? GLOB ?', 1, 'a', 'a'.repeat(51))).toThrow('too complex')
  expect(exec('SELECT ? AS one WHERE ? GLOB ?', 'a'.repeat(51), 'a', 'a').toArray()).toHaveLength(1)
  const halves = ['x'.repeat(1_000_001), 'x'.repeat(1_000_001)]
  expect(() => exec('SELECT ? AS one, ? AS other', ...halves)).toThrow('too big')
})
