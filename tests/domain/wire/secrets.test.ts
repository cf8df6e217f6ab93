/** Which variable holds the secret of which calls. */
import { describe, expect, it } from 'vitest'
import type { SecretName } from '../../../src/domain/wire/secrets.ts'
import { readSecrets } from '../../../src/domain/wire/secrets.ts'

const read = (variables: Partial<Record<SecretName, string>>): ReturnType<typeof readSecrets> =>
  readSecrets((name) => variables[name] ?? '')

describe('the secrets of calls', () => {
  it('are the common one where nothing else is set, then the one before', () => {
    const both = ['common', 'before']
    expect(read({ REBUILD_SECRET: 'common', REBUILD_SECRET_PREVIOUS: 'before' })).toEqual({
      notices: both,
      builders: both,
    })
    expect(read({})).toEqual({ notices: [], builders: [] })
  })

  it('of builders never include that of notices', () => {
    expect(read({ REBUILD_SECRET: 'common', NOTICE_SECRET: 'n', NOTICE_SECRET_PREVIOUS: 'old' })).toEqual({
      notices: ['common', 'n', 'old'],
      builders: ['common'],
    })
    expect(read({ NOTICE_SECRET: 'n' })).toEqual({ notices: ['n'], builders: [] })
  })

  it('open the route for notices too when they are those of builders', () => {
    expect(read({ REBUILD_SECRET: 'common', BUILDER_SECRET: 'b' })).toEqual({
      notices: ['b', 'common'],
      builders: ['b'],
    })
  })
})
