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
  preview: {
    group: 'site',
    summary: 'Serve what is built already.',
    load: () => import('../src/builder/commands/preview.ts'),
  },
  build: {
    group: 'site',
    summary: 'Compile, and bring the whole site into dist (as plain astro build does).',
    load: async () => ({ command: (await import('../src/builder/commands/astro.ts')).build }),
  },
  rebuild: {
    group: 'site',
    summary: 'Read what changed, render what changed, and leave the rest as it is.',
    load: () => import('../src/builder/commands/rebuild/run-rebuild.ts'),
    renders: true,
  },
  photos: {
    group: 'site',
    summary: 'Make the pictures that catalogues show of their photos.',
    load: () => import('../src/builder/commands/photos.ts'),
  },
  import: {
    group: 'data',
    summary: 'Import users.ndjson and cataloge.ndjson of a folder into an embedded database.',
    load: () => import('../src/builder/commands/transfer/import.ts'),
  },
  export: {
    group: 'data',
    summary: 'Export the documents of an embedded database as users.ndjson and cataloge.ndjson.',
    load: () => import('../src/builder/commands/transfer/export.ts'),
  },
  deploy: {
    group: 'publishing',
    summary: 'Verify what the last rebuild made and put it live, unless what is live is newer.',
    load: () => import('../src/builder/commands/deploy/deploy.ts'),
  },
  notify: {
    group: 'publishing',
    summary: 'Tell the site that sellers changed; it starts a rebuild.',
    load: () => import('../src/builder/commands/coordinator/notify.ts'),
  },
  status: {
    group: 'publishing',
    summary: "Show what waits at the site's coordinator, what runs and what failed.",
    load: () => import('../src/builder/commands/coordinator/status.ts'),
  },
  builder: {
    group: 'publishing',
    summary: 'Stay, and build whenever the coordinator of the site asks for it.',
    load: () => import('../src/builder/commands/service/builder.ts'),
    renders: true,
  },
  dev: {
    group: 'development',
    summary: "Start Astro's development server on the same data.",
    load: async () => ({ command: (await import('../src/builder/commands/astro.ts')).dev }),
  },
  check: {
    group: 'development',
    summary: 'Check types, lint, format, wings and rooms.',
    load: () => import('./audit/check.ts'),
  },
  format: {
    group: 'development',
    summary: 'Mend the format, and what lint can mend.',
    load: () => import('./audit/format.ts'),
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
