/** Parsing the dispatch target from the Worker's variables. */
import { describe, expect, it } from 'vitest'
import type { Variables } from '../../../../src/edge/coordinator/coordinator-settings.ts'
import type { DispatchTarget } from '../../../../src/edge/coordinator/dispatch/dispatch-target.ts'
import {
  findDispatchProblems,
  formatDispatchTarget,
  formatTarget,
  parseDispatch,
} from '../../../../src/edge/coordinator/dispatch/dispatch-target.ts'

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const parseTarget = (variables: Variables): DispatchTarget => parseDispatch(variables, false).target

const GITHUB = { DISPATCH_GITHUB_REPOSITORY: 'vitrina/site', DISPATCH_GITHUB_TOKEN: 'token-canary' }

describe('the dispatch target', () => {
  it('is absent when nothing is set', () => {
    expect(parseTarget({ DISPATCH_URL: ' ', REBUILD_SECRET: SECRET })).toEqual({
      kind: 'none',
      problem: null,
    })
    expect(formatTarget(parseTarget({}))).toBeNull()
  })

  it('is a repository on GitHub or on a self-hosted GitHub', () => {
    expect(parseTarget(GITHUB)).toEqual({
      kind: 'github',
      api: 'https://api.github.com',
      repository: 'vitrina/site',
      token: 'token-canary',
    })
    const own = parseTarget({ ...GITHUB, DISPATCH_GITHUB_API: 'https://git.example/api/v3/' })
    expect(own).toMatchObject({ api: 'https://git.example/api/v3' })
  })

  it('is an address, signed with its own secret or the one of the notices', () => {
    const url = 'https://hooks.example/build/url-canary'
    expect(parseTarget({ DISPATCH_URL: url, REBUILD_SECRET: SECRET })).toEqual({
      kind: 'address',
      url,
      secret: SECRET,
    })
    const other = SECRET.replace('A', 'B')
    expect(parseTarget({ DISPATCH_URL: url, REBUILD_SECRET: SECRET, DISPATCH_SECRET: other })).toMatchObject({
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
    expect(parseTarget(variables)).toEqual({ kind: 'none', problem: expect.stringMatching(problem) })
  })

  it('is formatted without its secrets', () => {
    const url = 'https://hooks.example/build/url-canary?key=query-canary'
    const shown = [GITHUB, { DISPATCH_URL: url, REBUILD_SECRET: SECRET }].map((one) =>
      formatTarget(parseTarget(one)),
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
    [{ DISPATCH: 'queue' }, 'the queue of changes'],
    [{ DISPATCH: ' queue ', ...GITHUB }, 'the queue of changes; full reads go to GitHub vitrina/site'],
    [{ DISPATCH: 'queue', DISPATCH_FULL: 'none', ...GITHUB }, 'the queue of changes'],
    [
      { DISPATCH: 'queue', DISPATCH_FULL: 'url', ...BOTH },
      'the queue of changes; full reads go to POST https://hooks.example',
    ],
  ])('chooses where changes go: %j', (variables, expected) => {
    expect(formatDispatchTarget(parseDispatch(variables, true))).toBe(expected)
  })

  it.each([
    [{ DISPATCH: 'queues' }, /^DISPATCH must be none, github, url or queue$/],
    [{ DISPATCH: 'github', ...URL }, /^DISPATCH=github needs DISPATCH_GITHUB_REPOSITORY, which is not set$/],
    [{ DISPATCH: 'url', ...GITHUB }, /^DISPATCH=url needs DISPATCH_URL, which is not set$/],
    [{ DISPATCH: 'queue', DISPATCH_FULL: 'queue' }, /^DISPATCH_FULL must be none, github or url$/],
    [{ DISPATCH: 'queue', DISPATCH_FULL: 'url' }, /^DISPATCH_FULL=url needs DISPATCH_URL, which is not set$/],
    [{ DISPATCH: 'queue', ...BOTH }, /both set: choose one with DISPATCH_FULL=github/],
  ])('names an impossible choice: %j', (variables, problem) => {
    const { target } = parseDispatch(variables, true)
    expect(target).toEqual({ kind: 'none', problem: expect.stringMatching(problem) })
  })

  it('leaves changes to a builder where the Worker has no queue, and says so', () => {
    const variables = { DISPATCH: 'queue', ...GITHUB }
    expect(parseDispatch(variables, false)).toMatchObject({ isQueue: false, target: { kind: 'github' } })
    expect(findDispatchProblems(variables, false)).toEqual([expect.stringMatching(/HOSTING=objects/)])
    expect(findDispatchProblems(variables, true)).toEqual([])
    expect(findDispatchProblems(GITHUB, false)).toEqual([])
  })
})
