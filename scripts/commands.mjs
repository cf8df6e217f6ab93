/** All commands of the program, by name: what each is for, and the module that has it, loaded when it is called. */

/**
 * @typedef {object} Entry
 * @property {'site' | 'data' | 'publishing' | 'development' | 'workshop'} group
 * @property {string} summary
 * @property {() => Promise<{ command: import('../src/builder/commands/command.ts').CommandDefinition<any> }>} load
 * @property {boolean} [renders] Whether it renders pages in this process.
 */

/** @type {Readonly<Record<string, Entry>>} */
export const COMMANDS = {
  start: {
    group: 'site',
    summary: 'Build the storefront and serve it on the local edge runtime.',
    load: () => import('../src/builder/commands/start.ts'),
  },
  rebuild: {
    group: 'site',
    summary: 'Read what changed, render what changed, and leave the rest as it is.',
    load: () => import('../src/builder/commands/rebuild/run-rebuild.ts'),
    renders: true,
  },
  'check:imports': {
    group: 'development',
    summary: 'Check every import against the wings and rooms of the project.',
    load: () => import('./audit/check-imports.ts'),
  },
  'check:pages': {
    group: 'development',
    summary: 'Check every file of a built site: markup, references, policy, sharing, weight.',
    load: () => import('./audit/check-pages.ts'),
  },
  screenshots: {
    group: 'development',
    summary: 'Take a screenshot of every screen at three widths, light and dark.',
    load: () => import('./audit/screenshots.ts'),
  },
  lighthouse: {
    group: 'development',
    summary: 'Measure pages with Lighthouse on a slow phone, and keep the reports.',
    load: () => import('./audit/lighthouse.ts'),
  },
  'demo:live': {
    group: 'development',
    summary: 'Change prices in a local Firestore and time each station up to the visitor.',
    load: () => import('./demo/demo-live.ts'),
    renders: true,
  },
  bench: {
    group: 'workshop',
    summary: 'Measure rebuilds beside Astro and Eleventy, the webhook, and the watch.',
    load: () => import('./bench/bench.ts'),
  },
  'prove:equivalence': {
    group: 'workshop',
    summary: 'Play random stories and compare the site with a clean build after each step.',
    load: () => import('./prove/prove-equivalence.ts'),
  },
  'prove:crash': {
    group: 'workshop',
    summary: 'Kill rebuilds at their steps and at random instants, and check that the next ones repair it.',
    load: () => import('./prove/prove-crash.ts'),
  },
  'prove:faults': {
    group: 'workshop',
    summary:
      'Let each write and database call of a rebuild fail in turn, and check that the next ones repair it.',
    load: () => import('./prove/prove-faults.ts'),
  },
  'prove:mutations': {
    group: 'workshop',
    summary: 'Break copies of the project in known ways, and check which proof notices.',
    load: () => import('./prove/prove-mutations.ts'),
  },
  'draw:sample': {
    group: 'workshop',
    summary: 'Draw the pictures of the sample, of the home page and of the marks.',
    load: () => import('./demo/draw-sample.ts'),
  },
}
