/** The questions to Firestore and GitHub, asked of their stand-ins. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { FakeGitHub } from '../../../../scripts/fakes/fake-github.ts'
import type { Asked, Requirement } from '../../../../src/builder/commands/conform/asking.ts'
import { ASSUMPTIONS } from '../../../../src/builder/commands/conform/assumptions.ts'
import { useFirestore } from '../../../support/firestore/firestore.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const openProject = useFirestore()
const path = useTemporaryFolder()

const probe = {
  ask: () => Promise.reject(new Error('the probe was asked')),
  visit: () => Promise.reject(new Error('the probe was visited')),
  poll: () => Promise.reject(new Error('the probe was asked')),
  bill: { requests: 0, calls: 0, written: 0, read: 0, classA: 0, classB: 0, queue: 0 },
}

/** Returns what was expected, and what was found. */
async function ask(
  part: Requirement,
  environment: Readonly<Record<string, string>>,
): Promise<[unknown, Asked]> {
  const [assumption, ...others] = ASSUMPTIONS.filter((one) => one.part === part)
  if (assumption === undefined || others.length > 0) throw new Error(`${part} has not one assumption`)
  const world = { probe, environment, switchVersion: () => Promise.reject(new Error('not asked')) }
  return [assumption.expected, await assumption.ask(world)]
}

it('reads a seller of Firestore that does not exist', async () => {
  const { projectId, emulatorHost } = openProject().options
  const environment = { FIREBASE_PROJECT_ID: projectId, FIRESTORE_EMULATOR_HOST: emulatorHost ?? '' }
  const [expected, { answer }] = await ask('firestore', environment)
  expect(answer).toEqual(expected)
})

it('reads at GitHub when runs began, and starts none', async () => {
  const folder = path('repository')
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/README.md`, '')
  const repository = { folder, secrets: {}, variables: {} }
  const options = { repository, environment: {}, folder: path('runner'), checkOut: () => {} }
  const github = new FakeGitHub(options, 'token-canary', async () => [])
  await github.start()
  onTestFinished(() => github.stop())
  const environment = {
    DISPATCH_GITHUB_API: github.origin,
    DISPATCH_GITHUB_REPOSITORY: 'owner/name',
    DISPATCH_GITHUB_TOKEN: 'token-canary',
  }
  expect((await ask('dispatch', environment))[1].note).toBe('workflow_dispatch has started no run yet')
  await github.startByHand()
  const [expected, { answer, note }] = await ask('dispatch', environment)
  expect([answer, note]).toEqual([expected, expect.stringMatching(/^runs read: 1; the slowest began after/)])
  expect(github.runs).toHaveLength(1)
  await expect(ask('dispatch', { ...environment, DISPATCH_GITHUB_TOKEN: 'other' })).rejects.toThrow('401')
})
