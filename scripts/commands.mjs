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
  'check:imports': {
    group: 'development',
    summary: 'Check that imports keep to the wings and rooms.',
    load: () => import('./audit/check-imports.ts'),
  },
  format: {
    group: 'development',
    summary: 'Mend the format, and what lint can mend.',
    load: () => import('./audit/format.ts'),
  },
}
