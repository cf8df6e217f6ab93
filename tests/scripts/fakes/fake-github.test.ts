/** The stand-in for GitHub takes the coordinator's dispatches as GitHub does. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FakeGitHub } from '../../../scripts/fakes/fake-github.ts'
import { sendDispatch } from '../../../src/edge/coordinator/dispatch/send-dispatch.ts'
import type { DispatchOutcome } from '../../../src/edge/coordinator/dispatch/dispatch-build.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { LONGEST_TIME } from '../../support/run/longest-time.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

/** A repository with this workflow, whose runs wait and note their inputs. */
async function startGitHub(text: string, until = Promise.resolve()): Promise<FakeGitHub> {
  const folder = path('repository/.github/workflows')
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/rebuild.yml`, text)
  const repository = { folder: path('repository'), secrets: {}, variables: {} }
  const options = { repository, environment: {}, folder: path('runner'), checkOut: () => {} }
  const github = new FakeGitHub(options, 'token-canary', async (inputs) => {
    await until
    return [{ name: String(inputs['build']), isDone: true, said: '', ms: 0 }]
  })
  await github.start()
  onTestFinished(() => github.stop())
  return github
}

function dispatch({ origin }: FakeGitHub, token = 'token-canary'): Promise<DispatchOutcome> {
  const target = { kind: 'github', api: origin, repository: 'owner/name', token } as const
  return sendDispatch(target, { build: 'build-1', timeout: LONGEST_TIME, now: new Date() })
}

const WORKFLOW = readFileSync(`${ROOT}/.github/workflows/rebuild.yml`, 'utf8')

describe('a dispatch of the coordinator', () => {
  it('starts the workflow with the id of its build', async () => {
    const github = await startGitHub(WORKFLOW)
    expect(await dispatch(github)).toEqual({ isSent: true })
    await github.rest()
    expect(github.runs).toMatchObject([{ workflow: 'rebuild.yml', steps: [{ name: 'build-1' }] }])
  })

  it('cancels the run that waits, and not the one at work', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const github = await startGitHub(WORKFLOW, promise)
    const byHand = github.startByHand()
    for (let count = 0; count < 3; count += 1) await dispatch(github)
    resolve()
    await Promise.all([byHand, github.rest()])
    expect(github.runs.map(({ steps }) => steps[0]?.name)).toEqual(['undefined', 'build-1'])
  })

  it('is refused with another token, and by a workflow that does not list its input', async () => {
    const github = await startGitHub(WORKFLOW.replace('      build:', '      other:'))
    expect(await dispatch(github, 'another')).toMatchObject({ reason: expect.stringContaining('401') })
    expect(await dispatch(github)).toMatchObject({ reason: expect.stringContaining('422') })
    expect(github.runs).toEqual([])
  })
})
