/** Tables of the docs that repeat tables of the code: exit codes, wings and rooms. */
import { describe, expect, it } from 'vitest'
import { WINGS } from '../../scripts/audit/rooms.ts'
import type { ExitName } from '../../src/builder/commands/exit-codes.ts'
import { EXIT, EXIT_MEANINGS } from '../../src/builder/commands/exit-codes.ts'
import { readPage, readTable } from '../support/documentation.ts'

const formatCode = (text: string): string => `\`${text}\``
const formatList = (names: readonly string[]): string =>
  names.length === 0 ? 'nothing' : names.map(formatCode).join(', ')

it('the docs list exactly the exit codes of the program', () => {
  const expected = Object.entries(EXIT_MEANINGS).map(([name, meaning]) => [
    String(EXIT[name as ExitName]),
    meaning,
  ])
  expect(readTable(readPage('docs/operate.md'), 'code', 'meaning')).toEqual(expected)
})

describe('the wings and rooms', () => {
  it('are the same in the README and in the code', () => {
    const expected = WINGS.map(({ path, runsIn, holds }) => [formatCode(path), runsIn, holds])
    expect(readTable(readPage('README.md'), 'wing', 'runs in', 'holds')).toEqual(expected)
  })

  it('are the same in docs/design.md and in the code, with their permitted imports', () => {
    const wings = WINGS.map(({ path, runsIn, holds, imports }) => [
      formatCode(path),
      runsIn,
      holds,
      formatList(imports),
    ])
    const rooms = WINGS.flatMap((wing) =>
      (wing.rooms ?? []).map(({ name, holds, imports }) => [
        formatCode(`${wing.path}/${name}`),
        holds,
        formatList(imports),
      ]),
    )
    expect(readTable(readPage('docs/design.md'), 'wing', 'runs in', 'holds', 'may import')).toEqual(wings)
    expect(readTable(readPage('docs/design.md'), 'room', 'holds', 'may import')).toEqual(rooms)
  })
})
