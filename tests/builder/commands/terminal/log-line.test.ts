/** Text of documents in the log of a workflow, whose runner obeys `##[…]` anywhere and `::…::` at the beginning of a line. */
import { Writable } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { cutId, formatId } from '../../../../src/domain/documents/format-id.ts'
import { createTerminal } from '../../../../src/builder/commands/program.ts'
import { createProgress } from '../../../../src/builder/commands/terminal/progress.ts'
import { formatJson } from '../../../../src/builder/commands/verdict.ts'

afterEach(() => void vi.restoreAllMocks())

const HOSTILE = '::error::one ##[add-mask]two\n  ::stop-commands::x ##[group]'
const COMMAND = /##\[|^\s*::/m

it('a line of a log holds no command of any printer', () => {
  const said: string[] = []
  for (const name of ['log', 'error'] as const)
    vi.spyOn(console, name).mockImplementation((line) => void said.push(String(line)))
  const screen = new Writable({ write: (chunk, _, done) => (said.push(String(chunk)), done()) })
  for (const isJson of [false, true]) {
    const terminal = createTerminal(createProgress('rebuild', screen), isJson)
    terminal.print(HOSTILE)
    terminal.warn(HOSTILE)
    terminal.report({ id: HOSTILE })
    terminal.progress.fail(HOSTILE)
  }
  expect(said).toHaveLength(7)
  for (const text of said) {
    expect(text).toContain('add-mask]two')
    expect(text).not.toMatch(COMMAND)
  }
})

it('a line of a log is the same for a program that reads the JSON', () => {
  expect(JSON.parse(formatJson({ [HOSTILE]: HOSTILE }))).toEqual({ [HOSTILE]: HOSTILE })
})

it('a line of a log shows where an id ends, and not the whole of a long one', () => {
  expect(['p1', 'perfumería-2', 'a b', '##[add-mask]x', ''].map(formatId)).toEqual([
    'p1',
    'perfumería-2',
    '"a b"',
    '"##[add-mask]x"',
    '""',
  ])
  const long = '\u{1F600}'.repeat(2_000_000)
  expect([...formatId(long)]).toHaveLength(258)
  expect([...formatId('x'.repeat(257))]).toHaveLength(256)
  expect(cutId('x'.repeat(256), 256)).toBe('x'.repeat(256))
})
