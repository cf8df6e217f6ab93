import { defineConfig } from 'vitest/config'

/** Rendering and browsing at once, on two cores: a slow minute is no failure. */
const PATIENCE = 60_000

const common = {
  testTimeout: PATIENCE,
  hookTimeout: 3 * PATIENCE,
  expect: { poll: { timeout: PATIENCE / 2 } },
}

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    // Much of the time is waiting for servers and browsers; two workers leave a third of two cores idle.
    maxWorkers: 3,
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
          globalSetup: ['tests/support/site.ts'],
        },
      },
    ],
  },
})
