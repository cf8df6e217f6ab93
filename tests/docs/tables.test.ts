/** The tables of the docs: those that repeat others, and their width. */
import { expect, it } from 'vitest'
import { WINGS } from '../../scripts/audit/code/rooms.ts'
import type { ExitName } from '../../src/builder/commands/exit-codes.ts'
import { EXIT, EXIT_MEANINGS } from '../../src/builder/commands/exit-codes.ts'
import { listTables, DOCUMENTATION, readDocumentationPage, readTable } from '../support/run/documentation.ts'

/** In characters. */
const LONGEST_CELL = 120
const LONGEST_LINE = 400

it('the docs list exactly the exit codes of the program', () => {
  const expected = Object.entries(EXIT_MEANINGS).map(([name, meaning]) => [
    String(EXIT[name as ExitName]),
    meaning,
  ])
  expect(readTable(readDocumentationPage('docs/operate.md'), 'code', 'meaning')).toEqual(expected)
})

it('the README lists the wings of docs/design.md', () => {
  const expected = WINGS.map(({ path, runsIn, holds }) => [`\`${path}\``, runsIn, holds])
  expect(readTable(readDocumentationPage('README.md'), 'wing', 'runs in', 'holds')).toEqual(expected)
})

it('no cell of a table and no line of the docs is too long to read', () => {
  const cells = DOCUMENTATION.flatMap(({ path, text }) =>
    listTables(text).flatMap(({ header, rows }) => [header, ...rows].flat().map((cell) => ({ path, cell }))),
  )
  expect(cells.length).toBeGreaterThan(500)
  expect(cells.filter(({ cell }) => cell.length > LONGEST_CELL)).toEqual([])
  const lines = DOCUMENTATION.flatMap(({ path, text }) => text.split('\n').map((line) => ({ path, line })))
  expect(lines.filter(({ line }) => line.length > LONGEST_LINE)).toEqual([])
})
