/** Messages of errors: cleaned, without secrets, with advice. */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { findQuotedAdvice, formatError } from '../../../../src/builder/commands/terminal/format-error.ts'
import { SourceError } from '../../../../src/builder/sources/source.ts'
import { UsageError } from '../../../../src/builder/files/usage-error.ts'

function createSystemError(code: string, message = 'write failed'): Error {
  return Object.assign(new Error(message), { code })
}

describe('the message of an error', () => {
  it('refers wrong usage to the help', () => {
    expect(formatError(new UsageError('no such option'), {})).toBe(
      'no such option\n(--help shows the options)',
    )
  })

  it.each([
    ['ENOSPC', 'free some space'],
    ['EMFILE', 'ulimit -n'],
    ['EACCES', 'permissions'],
    ['ERR_WORKER_OUT_OF_MEMORY', 'more memory'],
  ])('of %s says what to do, also as the cause of another', (code, advice) => {
    expect(formatError(createSystemError(code), {})).toMatch(new RegExp(`^write failed\\. .*${advice}`))
    const wrapped = new SourceError('unreadable', { cause: createSystemError(code) })
    expect(formatError(wrapped, {})).toMatch(new RegExp(`^unreadable\\. .*${advice}`))
  })

  it('contains advice for an error of a database, also when a failed page quotes it', () => {
    const open = (): DatabaseSync => new DatabaseSync('/no/such/folder/shop.sqlite')
    expect(open).toThrow(
      expect.toSatisfy((error: Error) => {
        expect(formatError(error, {})).toMatch(/unable to open.*check that its folder/)
        expect(findQuotedAdvice(`Error: ${error.message}`)).toMatch(/check that its folder.*ulimit -n/)
        return true
      }),
    )
  })

  it('keeps its lines, and contains no control characters and no secrets', () => {
    const error = new Error('first \u001b[31mred\nsecond whsec_0123456789')
    expect(formatError(error, { REBUILD_SECRET: 'whsec_0123456789' })).toBe('first [31mred\nsecond [secret]')
  })
})
