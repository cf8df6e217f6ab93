/**
 * Restores what a test file may have changed in the process, which runs other test files after it. The random cases of
 * each run are the same: the proofs are what plays new ones.
 */
import { afterAll, vi } from 'vitest'
import fc from 'fast-check'

const environment = { ...process.env }
const folder = process.cwd()

// Registered before the hooks of the file, and therefore the last one to run.
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  process.chdir(folder)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

fc.configureGlobal({ seed: 42 })
