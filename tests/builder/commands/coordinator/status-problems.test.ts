import { expect, it } from 'vitest'
import type { CallAnswer } from '../../../../src/domain/wire/calls.ts'
import { findStatusProblems } from '../../../../src/builder/commands/coordinator/status.ts'

type Status = CallAnswer<'status'>

const MARKER = { state: 'closed', time: '', renderer: '', sellers: 1, products: 1, largest: 1 } as const
const WELL: Status = {
  now: '2026-01-01T12:00:00.000Z',
  waiting: 3,
  full: false,
  oldest: '2026-01-01T11:58:00.000Z',
  lease: null,
  failed: 0,
  failing: [],
  builders: 1,
  workflow: null,
  tries: 0,
  failures: 0,
  next: null,
  error: null,
  held: null,
  reported: 'run',
  live: { run: 'run', ...MARKER },
  problems: [],
}

/** One problem that says this. */
const say = (words: RegExp): readonly unknown[] => [expect.stringMatching(words)]

it.each<[string, Partial<Status>, readonly unknown[]]>([
  ['a change that waits for two minutes', {}, []],
  ['a change that waits for an hour', { oldest: '2026-01-01T11:00:00.000Z' }, say(/waited for 60 minutes/)],
  ['a hold', { held: 'a rollback' }, say(/--release/)],
  ['a first publish that is missing', { reported: null, live: null }, say(/npm run deploy/)],
  ['two failed builds', { failures: 2, error: 'why' }, []],
  ['three failed builds', { failures: 3, error: 'why' }, say(/3 builds .* why/)],
  ['builders that do not come', { tries: 3, error: 'why' }, say(/3 tries: why/)],
  ['another live site', { live: { run: 'older', ...MARKER } }, say(/not the one/)],
  [
    'another live site while a builder works',
    { live: { run: 'b', ...MARKER }, lease: { builder: '', until: '' } },
    [],
  ],
  ['a wrong setting', { problems: ['X must be y'] }, say(/X must be y/)],
  ['a seller who failed twice', { failing: [{ seller: 'ana', reason: 'why', tries: 2, next: '' }] }, []],
  [
    'a seller who failed often',
    { failing: [{ seller: 'ana', reason: 'why', tries: 3, next: '' }] },
    say(/ana failed 3 times/),
  ],
])('a status with %s needs a person, or does not', (_, change, expected) => {
  const problems = findStatusProblems({ ...WELL, ...change })
  expect(problems).toEqual(expected)
})
