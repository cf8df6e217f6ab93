/** The proofs can fail: code that is broken on purpose is caught. `npx vitrina prove:mutations` tries all. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { breakCode, MUTATIONS } from '../../../scripts/prove/mutations/mutation.ts'
import { listTrials } from '../../../scripts/prove/prove-mutations.ts'
import { isProof, runCatcher } from '../../../scripts/prove/mutations/run-catcher.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'

it.each(MUTATIONS)('finds the code to $name, and what must catch it', (mutation) => {
  expect(() => breakCode(ROOT, mutation)).not.toThrow()
  const tests = mutation.catchers.filter((catcher) => !isProof(catcher))
  expect(tests.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

it('a publish during a hold is caught', async () => {
  const mutation = MUTATIONS.find(({ name }) => name === 'publish during a hold')
  if (mutation === undefined) throw new Error('there is no such mutation')
  const { isCaught, words } = await runCatcher(mutation, 'coordinator')
  expect(isCaught, words).toBe(true)
  expect(words).toContain('got permission to publish during a hold')
})

it('each test is tried without a mutation first, once', () => {
  const trials = listTrials({})
  const tests = new Set(MUTATIONS.flatMap(({ catchers }) => catchers).filter((catcher) => !isProof(catcher)))
  const controls = trials.slice(0, tests.size)
  expect(controls).toEqual(Array.from(tests, (catcher) => ({ mutation: null, catcher })))
  expect(trials.slice(tests.size).filter(({ mutation }) => mutation === null)).toEqual([])
})

it('a test that is green without a mutation, and one that is not, are distinguished', async () => {
  const [green, missing] = ['tests/domain/work/try-again.test.ts', 'tests/domain/nothing.test.ts']
  expect(await runCatcher(null, green)).toMatchObject({ isGreen: true, isCaught: false })
  expect(await runCatcher(null, missing)).toMatchObject({ isGreen: false, isCaught: false })
})
