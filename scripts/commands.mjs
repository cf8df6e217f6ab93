/** All commands of the program, by name: a summary, a group in the help, and the module, which is loaded on use. */

/**
 * @typedef {object} Entry
 * @property {'Site' | 'Data' | 'Publishing' | 'Development'} group
 * @property {string} summary
 * @property {string} [alias] another name
 * @property {() => Promise<{ command: import('../src/builder/commands/command.ts').CommandDefinition<any> }>} load
 */

/** @type {Readonly<Record<string, Entry>>} */
export const COMMANDS = {
  start: {
    group: 'Site',
    summary: 'Build the storefront and serve it on the local edge runtime.',
    load: () => import('../src/builder/commands/local/start.ts'),
  },
  rebuild: {
    group: 'Site',
    alias: 'build',
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
    summary: 'Import a folder of documents into an embedded database.',
    load: async () => ({
      command: (await import('../src/builder/commands/transfer/copy-documents.ts')).importing,
    }),
  },
  export: {
    group: 'Data',
    summary: 'Export an embedded database as a folder of documents.',
    load: async () => ({
      command: (await import('../src/builder/commands/transfer/copy-documents.ts')).exporting,
    }),
  },
  set: {
    group: 'Data',
    summary: 'Change one field of a document in the embedded database.',
    load: () => import('../src/builder/commands/transfer/set.ts'),
  },
  deploy: {
    group: 'Publishing',
    summary: 'Rebuild what changed, publish, and look at the live site.',
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
    summary: "Start Astro's development server on the data of a rebuild.",
    load: () => import('../src/builder/commands/local/dev.ts'),
  },
  check: {
    group: 'Development',
    summary: 'Check types, lint, format, imports and exports.',
    load: async () => ({ command: (await import('./audit/check.ts')).check }),
  },
  format: {
    group: 'Development',
    summary: 'Correct the format, and simple lint problems.',
    load: async () => ({ command: (await import('./audit/check.ts')).format }),
  },
  'check:pages': {
    group: 'Development',
    summary: 'Check markup, references and weight of a built site.',
    load: () => import('./audit/check-pages.ts'),
  },
  engines: {
    group: 'Development',
    summary: 'Play what visitors do in Chromium, Firefox and WebKit.',
    load: () => import('./audit/engines.ts'),
  },
  screenshots: {
    group: 'Development',
    summary: 'Take screenshots of every screen in every form.',
    load: () => import('./audit/screenshots.ts'),
  },
  lighthouse: {
    group: 'Development',
    summary: 'Measure pages and taps with Lighthouse on a slow phone.',
    load: () => import('./audit/lighthouse.ts'),
  },
  bench: {
    group: 'Development',
    summary: 'Measure rebuilds, a million pages, a live site, and search.',
    load: () => import('./bench/bench.ts'),
  },
  prove: {
    group: 'Development',
    summary: 'Play random stories of rebuilds with faults.',
    load: () => import('./prove/prove-rebuild.ts'),
  },
}

/** Returns the name of a command from this name, which may be an alias; `null` if there is none. */
export function findCommand(name) {
  if (Object.hasOwn(COMMANDS, name)) return name
  return Object.keys(COMMANDS).find((one) => COMMANDS[one].alias === name) ?? null
}
