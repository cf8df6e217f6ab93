/** The table of exit codes, and the error classes that map to them. */
import { describe, expect, it } from 'vitest'
import { EXIT, EXIT_MEANINGS, findExitCode } from '../../../src/builder/commands/exit-codes.ts'
import { formatError } from '../../../src/builder/commands/terminal/format-error.ts'
import { PublishError } from '../../../src/builder/publish/publish-error.ts'
import { WranglerError } from '../../../src/builder/publish/wrangler.ts'
import { ShrinkError } from '../../../src/builder/rebuild/shrink-guard.ts'
import { CompileError } from '../../../src/builder/renderer/compile.ts'
import { RefusedError } from '../../../src/builder/sources/embedded/embedded-create.ts'
import { SourceError } from '../../../src/builder/sources/source.ts'
import { BusyError } from '../../../src/builder/state/locks.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'

describe('the exit code', () => {
  it.each([
    [UsageError, 2],
    [RefusedError, 2],
    [SourceError, 3],
    [ShrinkError, 4],
    [BusyError, 5],
    [CompileError, 70],
    [PublishError, 1],
    [WranglerError, 1],
    [TypeError, 70],
    [Error, 70],
  ])('of %o is %i', (Kind, code) => {
    expect(findExitCode(new Kind('x'))).toBe(code)
  })

  it('of a database that another program holds is 5, and the message advises to wait', () => {
    const error = Object.assign(new Error('database is locked'), { errcode: 261 })
    expect(findExitCode(error)).toBe(5)
    expect(formatError(error, {})).toContain('wait for it to end')
  })

  it('has exactly one meaning, which the help prints', () => {
    expect(new Set(Object.values(EXIT)).size).toBe(Object.keys(EXIT).length)
    expect(Object.keys(EXIT_MEANINGS)).toEqual(Object.keys(EXIT))
  })
})
