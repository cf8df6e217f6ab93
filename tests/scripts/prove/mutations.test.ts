/** The proofs can fail: code that is broken on purpose is caught. `npx vitrina prove:mutations` tries all. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { breakCode, MUTATIONS } from '../../../scripts/prove/mutations/mutation.ts'
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
