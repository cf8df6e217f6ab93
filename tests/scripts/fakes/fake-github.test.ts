/** The stand-in for GitHub takes the coordinator's dispatches as GitHub does. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FakeGitHub } from '../../../scripts/fakes/fake-github.ts'
import { sendDispatch } from '../../../src/edge/coordinator/send-dispatch.ts'
import type { DispatchOutcome } from '../../../src/edge/coordinator/dispatch-build.ts'
import { ROOT } from '../../support/rebuild.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'

const path = useTemporaryFolder()

/** A repository whose workflow has the project's triggers, and one step. */
async function startGitHub(text: string): Promise<FakeGitHub> {
  const folder = path('repository/.github/workflows')
  mkdirSync(folder, { recursive: true })
  const job =
    'jobs:\n  one:\n    steps:\n      - run: test "$BUILD" = build-1\n        env: { BUILD: "${{ inputs.build }}" }\n'
  writeFileSync(`${folder}/rebuild.yml`, text.replace(/^jobs:[^]*/m, job))
  const repository = { folder: path('repository'), secrets: {}, variables: {} }
  const environment = { PATH: process.env['PATH'] ?? '' }
  const options = { repository, environment, folder: path('runner'), checkOut: () => {} }
  const github = new FakeGitHub(options, 'token-canary')
  await github.start()
  onTestFinished(() => github.stop())
  return github
}

function dispatch({ origin }: FakeGitHub, token = 'token-canary'): Promise<DispatchOutcome> {
  const target = { kind: 'github', api: origin, repository: 'owner/name', token } as const
  return sendDispatch(target, { build: 'build-1', timeout: 5_000, now: new Date() })
}

const WORKFLOW = readFileSync(`${ROOT}/.github/workflows/rebuild.yml`, 'utf8')

describe('a dispatch of the coordinator', () => {
  it('starts the workflow with the id of its build', async () => {
    const github = await startGitHub(WORKFLOW)
    expect(await dispatch(github)).toEqual({ isSent: true })
    await github.rest()
    expect(github.runs.map(({ workflow, steps }) => [workflow, steps.map(({ isDone }) => isDone)])).toEqual([
      ['rebuild.yml', [true]],
    ])
  })

  it('is refused with another token, and by a workflow that does not list its input', async () => {
    const github = await startGitHub(WORKFLOW.replace('      build:', '      other:'))
    expect(await dispatch(github, 'another')).toMatchObject({ reason: expect.stringContaining('401') })
    expect(await dispatch(github)).toMatchObject({ reason: expect.stringContaining('422') })
    expect(github.runs).toEqual([])
  })
})
