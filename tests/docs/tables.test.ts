/** Tables of the docs that repeat what stands in code: exit codes, wings and rooms. */
import { describe, expect, it } from 'vitest'
import { WINGS } from '../../scripts/audit/rooms.ts'
import type { ExitName } from '../../src/builder/commands/exit-codes.ts'
import { EXIT, EXIT_MEANINGS } from '../../src/builder/commands/exit-codes.ts'
import { readPage, readTable } from '../support/documentation.ts'

const formatCode = (text: string): string => `\`${text}\``
const formatList = (names: readonly string[]): string =>
  names.length === 0 ? 'nothing' : names.map(formatCode).join(', ')

it('the exit codes of the docs are those of the program', () => {
  const expected = Object.entries(EXIT_MEANINGS).map(([name, meaning]) => [
    String(EXIT[name as ExitName]),
    meaning,
  ])
  expect(readTable(readPage('docs/operate.md'), 'code', 'meaning')).toEqual(expected)
})

describe('wings and rooms', () => {
  it('stand in the README as in the table of the code', () => {
    const expected = WINGS.map(({ path, runsIn, holds }) => [formatCode(path), runsIn, holds])
    expect(readTable(readPage('README.md'), 'wing', 'runs in', 'holds')).toEqual(expected)
  })

  it('stand in the design as in the table of the code, with what each may import', () => {
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
