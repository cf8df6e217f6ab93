import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { NO_SETTINGS } from '../scripts/measure/no-settings.ts'
import { LongestFirst } from './support/suite/longest-first.ts'
import { TEMPORARY } from './support/suite/temporary-files.ts'

/** Timeout of what hangs, in milliseconds. Nothing that works takes so long, even on a busy machine. */
const PATIENCE = 300_000

// Here and not in `env`, because the site that browser tests visit is built in this process.
Object.assign(process.env, NO_SETTINGS)

const common = {
  // The deploy tool takes a second to start, a fifth less with its code compiled. The project's own commands use the same folder.
  env: { TMPDIR: TEMPORARY, NODE_COMPILE_CACHE: join(TEMPORARY, 'node-compile-cache') },
  testTimeout: 2 * PATIENCE,
  hookTimeout: 3 * PATIENCE,
  expect: { poll: { timeout: PATIENCE / 2 } },
  // A process and its modules serve many files: to start one takes as long as most files of tests.
  isolate: false,
  setupFiles: ['tests/support/suite/restore-process.ts'],
  globalSetup: ['tests/support/suite/temporary-files.ts'],
}

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    // Much of the time is waiting for servers and browsers: with four workers two cores are idle for a tenth of it.
    maxWorkers: 6,
    // The runtime must end and a large folder be removed, on a busy machine, too.
    teardownTimeout: PATIENCE,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'node',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/served/**'],
        },
      },
      {
        test: {
          ...common,
          name: 'site',
          include: ['tests/served/**/*.test.ts'],
          globalSetup: [...common.globalSetup, 'tests/support/run/site.ts'],
        },
      },
    ],
  },
})
