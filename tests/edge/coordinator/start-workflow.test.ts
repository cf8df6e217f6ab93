/** How the Worker's settings are read, and what becomes of a request to GitHub. */
import { expect, it } from 'vitest'
import { startWorkflow } from '../../../src/edge/coordinator/start-workflow.ts'
import { parseCallSecrets, parseSettings } from '../../../src/edge/coordinator/settings.ts'
import { startServer } from '../../support/run/servers.ts'

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(24, 2).toString('base64')}`
const SECRETS = { REBUILD_SECRET: SECRET, NOTICE_SECRET: OTHER }
const SITE = { ...SECRETS, DISPATCH_GITHUB_REPOSITORY: 'o/n', DISPATCH_GITHUB_TOKEN: 't' }

/** One problem that says this. */
const say = (words: RegExp): readonly unknown[] => [expect.stringMatching(words)]

it.each<[string, Readonly<Record<string, string>>, readonly unknown[]]>([
  ['no workflow', SECRETS, []],
  ['a workflow', SITE, []],
  ['two secrets during a rotation', { ...SECRETS, REBUILD_SECRET: `${OTHER} ${SECRET}` }, []],
  ['no secret of notices', { REBUILD_SECRET: SECRET }, say(/^NOTICE_SECRET/)],
  ['a short secret', { ...SECRETS, REBUILD_SECRET: `${SECRET} whsec_YQ==` }, say(/^REBUILD_SECRET/)],
  ['a time in words', { ...SECRETS, REBUILD_QUIET_MS: 'soon' }, say(/^REBUILD_QUIET_MS/)],
  [
    'a repository without an owner',
    { ...SITE, DISPATCH_GITHUB_REPOSITORY: 'n' },
    say(/^DISPATCH_GITHUB_REPOSITORY/),
  ],
  ['no token', { ...SITE, DISPATCH_GITHUB_TOKEN: '' }, say(/^DISPATCH_GITHUB_TOKEN/)],
  ['a token of two lines', { ...SITE, DISPATCH_GITHUB_TOKEN: 'a\nb' }, say(/^DISPATCH_GITHUB_TOKEN/)],
  ['no address of GitHub', { ...SITE, DISPATCH_GITHUB_API: 'github' }, say(/^DISPATCH_GITHUB_API/)],
])('settings with %s are judged', (_, variables, expected) => {
  const { problems, quiet } = parseSettings(variables)
  expect(problems).toEqual(expected)
  expect(quiet).toBe(2_000)
})

it('no secret of the Worker counts if one of two is invalid', () => {
  expect(
    parseCallSecrets({ REBUILD_SECRET: `${SECRET} nothing`, NOTICE_SECRET: `${OTHER}  ${SECRET}` }),
  ).toEqual({
    rebuild: [],
    notice: [OTHER, SECRET],
  })
})

it.each<[number, Record<string, string>, object]>([
  [204, {}, { isSent: true, patience: 5 }],
  [422, {}, { isSent: false, reason: expect.stringContaining('422'), retryAfter: 0 }],
  [
    429,
    { 'retry-after': '90' },
    { isSent: false, reason: expect.stringContaining('429'), retryAfter: 90_000 },
  ],
  [
    403,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' },
    { isSent: false, retryAfter: 3_600_000 },
  ],
  // Not followed: the token would go to another host.
  [307, { location: '/elsewhere' }, { isSent: false, reason: expect.stringContaining('307'), retryAfter: 0 }],
])('status %i of GitHub with %j is read', async (status, headers, outcome) => {
  const paths: string[] = []
  const api = await startServer((request, response) => {
    paths.push(request.url ?? '')
    response.writeHead(status, headers).end()
  })
  expect(await startWorkflow({ api, repository: 'o/n', token: 't' }, 5)).toMatchObject(outcome)
  expect(paths).toHaveLength(1)
})

it('a GitHub that cannot be reached is tried again, and the token is not said', async () => {
  const outcome = await startWorkflow({ api: 'http://127.0.0.1:1', repository: 'o/n', token: 'hidden' }, 5)
  expect(outcome).toEqual({ isSent: false, reason: 'GitHub could not be reached', retryAfter: 0 })
})
