/** Parsing the dispatch target from the Worker's variables. */
import { describe, expect, it } from 'vitest'
import { formatTarget, parseDispatch } from '../../../../src/edge/coordinator/dispatch/dispatch-target.ts'

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`

const GITHUB = { DISPATCH_GITHUB_REPOSITORY: 'vitrina/site', DISPATCH_GITHUB_TOKEN: 'token-canary' }

describe('the dispatch target', () => {
  it('is absent when nothing is set', () => {
    expect(parseDispatch({ DISPATCH_URL: ' ', REBUILD_SECRET: SECRET })).toEqual({
      kind: 'none',
      problem: null,
    })
    expect(formatTarget(parseDispatch({}))).toBeNull()
  })

  it('is a repository on GitHub or on a self-hosted GitHub', () => {
    expect(parseDispatch(GITHUB)).toEqual({
      kind: 'github',
      api: 'https://api.github.com',
      repository: 'vitrina/site',
      token: 'token-canary',
    })
    const own = parseDispatch({ ...GITHUB, DISPATCH_GITHUB_API: 'https://git.example/api/v3/' })
    expect(own).toMatchObject({ api: 'https://git.example/api/v3' })
  })

  it('is an address, signed with its own secret or the one of the notices', () => {
    const url = 'https://hooks.example/build/url-canary'
    expect(parseDispatch({ DISPATCH_URL: url, REBUILD_SECRET: SECRET })).toEqual({
      kind: 'address',
      url,
      secret: SECRET,
    })
    const other = SECRET.replace('A', 'B')
    expect(
      parseDispatch({ DISPATCH_URL: url, REBUILD_SECRET: SECRET, DISPATCH_SECRET: other }),
    ).toMatchObject({
      secret: other,
    })
  })

  it.each([
    [{ ...GITHUB, DISPATCH_URL: 'https://hooks.example/' }, /both set/],
    [{ DISPATCH_GITHUB_REPOSITORY: 'vitrina/site' }, /DISPATCH_GITHUB_TOKEN is not set/],
    [{ ...GITHUB, DISPATCH_GITHUB_TOKEN: 'one\nanother' }, /DISPATCH_GITHUB_TOKEN must be one word/],
    [{ ...GITHUB, DISPATCH_GITHUB_TOKEN: '“quoted”' }, /DISPATCH_GITHUB_TOKEN must be one word/],
    [{ ...GITHUB, DISPATCH_GITHUB_REPOSITORY: 'https://github.com/vitrina/site' }, /must be <owner>\/<name>/],
    [{ ...GITHUB, DISPATCH_GITHUB_API: 'git.example' }, /DISPATCH_GITHUB_API must be/],
    [{ DISPATCH_URL: 'hooks.example', REBUILD_SECRET: SECRET }, /DISPATCH_URL must be/],
    [{ DISPATCH_URL: 'file:///etc/passwd', REBUILD_SECRET: SECRET }, /DISPATCH_URL must be/],
    [{ DISPATCH_URL: 'https://user:pass@hooks.example/', REBUILD_SECRET: SECRET }, /DISPATCH_URL must be/],
    [{ DISPATCH_URL: 'https://hooks.example/' }, /DISPATCH_SECRET must be/],
  ])('names what is wrong, and is none: %j', (variables, problem) => {
    expect(parseDispatch(variables)).toEqual({ kind: 'none', problem: expect.stringMatching(problem) })
  })

  it('is formatted without its secrets', () => {
    const url = 'https://hooks.example/build/url-canary?key=query-canary'
    const shown = [GITHUB, { DISPATCH_URL: url, REBUILD_SECRET: SECRET }].map((one) =>
      formatTarget(parseDispatch(one)),
    )
    expect(shown).toEqual(['GitHub vitrina/site', 'POST https://hooks.example'])
  })
})

describe('DISPATCH', () => {
  const URL = { DISPATCH_URL: 'https://hooks.example/', REBUILD_SECRET: SECRET }
  const BOTH = { ...GITHUB, ...URL }

  it.each([
    [{ DISPATCH: 'none', ...BOTH }, null],
    [{ DISPATCH: 'github', ...BOTH }, 'GitHub vitrina/site'],
    [{ DISPATCH: 'url', ...BOTH }, 'POST https://hooks.example'],
  ])('chooses where changes go: %j', (variables, expected) => {
    expect(formatTarget(parseDispatch(variables))).toBe(expected)
  })

  it.each([
    [{ DISPATCH: 'mail' }, /^DISPATCH must be none, github or url$/],
    [{ DISPATCH: 'github', ...URL }, /^DISPATCH=github needs DISPATCH_GITHUB_REPOSITORY, which is not set$/],
    [{ DISPATCH: 'url', ...GITHUB }, /^DISPATCH=url needs DISPATCH_URL, which is not set$/],
  ])('names an impossible choice: %j', (variables, problem) => {
    expect(parseDispatch(variables)).toEqual({ kind: 'none', problem: expect.stringMatching(problem) })
  })
})
