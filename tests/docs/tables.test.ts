/** Tables of the docs that repeat others: exit codes and wings. */
import { expect, it } from 'vitest'
import { WINGS } from '../../scripts/audit/rooms.ts'
import type { ExitName } from '../../src/builder/commands/exit-codes.ts'
import { EXIT, EXIT_MEANINGS } from '../../src/builder/commands/exit-codes.ts'
import { readPage, readTable } from '../support/run/documentation.ts'

it('the docs list exactly the exit codes of the program', () => {
  const expected = Object.entries(EXIT_MEANINGS).map(([name, meaning]) => [
    String(EXIT[name as ExitName]),
    meaning,
  ])
  expect(readTable(readPage('docs/operate.md'), 'code', 'meaning')).toEqual(expected)
})

it('the README lists the wings of docs/design.md', () => {
  const expected = WINGS.map(({ path, runsIn, holds }) => [`\`${path}\``, runsIn, holds])
  expect(readTable(readPage('README.md'), 'wing', 'runs in', 'holds')).toEqual(expected)
})
