/** All commands of the program, by name: a summary, a group in the help, and the module, which is loaded on use. */

/**
 * @typedef {object} Entry
 * @property {'Site' | 'Data' | 'Publishing' | 'Development' | 'Workshop'} group
 * @property {string} summary
 * @property {() => Promise<{ command: import('../src/builder/commands/command.ts').CommandDefinition<any> }>} load
 */

/** @type {Readonly<Record<string, Entry>>} */
export const COMMANDS = {
  start: {
    group: 'Site',
    summary: 'Build the storefront and serve it on the local edge runtime.',
    load: () => import('../src/builder/commands/local/start.ts'),
  },
  build: {
    group: 'Site',
    summary: 'Compile and build the whole site into dist, as astro build does.',
    load: async () => ({ command: (await import('../src/builder/commands/local/astro.ts')).build }),
  },
  rebuild: {
    group: 'Site',
    summary: 'Read changed documents and render changed pages only.',
    load: () => import('../src/builder/commands/rebuild/run-rebuild.ts'),
  },
  photos: {
    group: 'Site',
    summary: 'Make the small pictures of photos that catalogues show.',
    load: () => import('../src/builder/commands/photos.ts'),
  },
  import: {
    group: 'Data',
    summary: 'Import users.ndjson and cataloge.ndjson into an embedded database.',
    load: () => import('../src/builder/commands/transfer/import.ts'),
  },
  export: {
    group: 'Data',
    summary: 'Export an embedded database as users.ndjson and cataloge.ndjson.',
    load: () => import('../src/builder/commands/transfer/export.ts'),
  },
  set: {
    group: 'Data',
    summary: 'Change one field of a product or a seller in the embedded database.',
    load: () => import('../src/builder/commands/transfer/set.ts'),
  },
  deploy: {
    group: 'Publishing',
    summary: 'Claim what changed, rebuild, publish, and look at the live site.',
    load: () => import('../src/builder/commands/deploy/deploy.ts'),
  },
  notify: {
    group: 'Publishing',
    summary: 'Report changed sellers to the site, which starts a rebuild.',
    load: () => import('../src/builder/commands/coordinator/notify.ts'),
  },
  status: {
    group: 'Publishing',
    summary: 'Show what waits, who builds, what failed and what is live.',
    load: () => import('../src/builder/commands/coordinator/status.ts'),
  },
  dev: {
    group: 'Development',
    summary: "Start Astro's development server on the data that a rebuild reads.",
    load: async () => ({ command: (await import('../src/builder/commands/local/astro.ts')).dev }),
  },
  check: {
    group: 'Development',
    summary: 'Check types, lint, format, imports and exports.',
    load: () => import('./audit/check.ts'),
  },
  format: {
    group: 'Development',
    summary: 'Fix the format, and the lint problems that can be fixed automatically.',
    load: () => import('./audit/code/format.ts'),
  },
  'check:pages': {
    group: 'Development',
    summary: 'Check every file of a built site: markup, references, security policy, metadata, weight.',
    load: () => import('./audit/check-pages.ts'),
  },
  engines: {
    group: 'Development',
    summary: 'Play what visitors do in Chromium, Firefox and WebKit.',
    load: () => import('./audit/engines.ts'),
  },
  screenshots: {
    group: 'Development',
    summary: 'Take screenshots of every screen: widths, light and dark, forced colours, zoom.',
    load: () => import('./audit/screenshots.ts'),
  },
  lighthouse: {
    group: 'Development',
    summary: 'Measure pages with Lighthouse on a slow phone, and keep the reports.',
    load: () => import('./audit/lighthouse.ts'),
  },
  bench: {
    group: 'Workshop',
    summary: 'Measure rebuilds (also of Astro and Eleventy), a million pages, and search.',
    load: () => import('./bench/bench.ts'),
  },
  prove: {
    group: 'Workshop',
    summary: 'Play random stories of rebuilds with faults, and around the coordinator.',
    load: () => import('./prove/prove-rebuild.ts'),
  },
}
