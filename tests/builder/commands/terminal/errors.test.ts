/** The exit codes and the messages of errors. */
import { describe, expect, it } from 'vitest'
import { findExitCode } from '../../../../src/builder/commands/exit-codes.ts'
import { findAdvice, formatError } from '../../../../src/builder/commands/terminal/format-error.ts'
import { PublishError } from '../../../../src/builder/publish/publish-error.ts'
import { WranglerError } from '../../../../src/builder/publish/wrangler.ts'
import { ShrinkError } from '../../../../src/builder/rebuild/shrink-guard.ts'
import { CompileError } from '../../../../src/builder/renderer/compile.ts'
import { RefusedError } from '../../../../src/builder/sources/embedded/embedded-create.ts'
import { SourceError } from '../../../../src/builder/sources/source.ts'
import { BusyError } from '../../../../src/builder/state/locks.ts'
import { UsageError } from '../../../../src/builder/files/usage-error.ts'
import { DatabaseSync } from 'node:sqlite'

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
    expect(formatError(error, {})).toContain('Wait for the other program')
  })
})

describe('the message of an error', () => {
  it.each([
    ['ENOSPC: no space left on device, write', /free some space/i],
    ['EMFILE: too many open files', /ulimit -n/],
    ['EACCES: permission denied', /permissions/],
    ['database or disk is full', /free some space/i],
    ['Worker terminated due to reaching memory limit', /more memory/],
  ])('%s says what to do, also as the cause of another', (message, advice) => {
    expect(formatError(new Error(message), {})).toMatch(advice)
    const wrapped = formatError(new SourceError('unreadable', { cause: new Error(message) }), {})
    expect(wrapped).toMatch(/^unreadable\. /)
    expect(wrapped).toMatch(advice)
  })

  it('contains advice for an error of a database, also when a failed page quotes it', () => {
    const open = (): DatabaseSync => new DatabaseSync('/no/such/folder/shop.sqlite')
    expect(open).toThrow(
      expect.toSatisfy((error: Error) => {
        expect(formatError(error, {})).toMatch(/unable to open.*Check that the folder/)
        expect(findAdvice(`Error: ${error.message}`)).toMatch(/Check that the folder.*ulimit -n/)
        return true
      }),
    )
  })

  it('keeps its lines, and contains no control characters and no secrets', () => {
    const error = new Error('first \u001b[31mred\n  second whsec_0123456789')
    expect(formatError(error, { REBUILD_SECRET: 'whsec_0123456789' })).toBe(
      'first [31mred\n  second [secret]',
    )
  })
})
