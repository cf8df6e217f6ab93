/** The commands for developers of the program, such as checks, benchmarks and proofs. */

/** @type {Readonly<Record<string, import('./commands.mjs').Entry>>} */
export const DEVELOPMENT_COMMANDS = {
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
  'check:engines': {
    group: 'Development',
    summary: 'Play what visitors do in Chromium, Firefox and WebKit.',
    load: () => import('./audit/check-engines.ts'),
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
  'prove:coordinator': {
    group: 'Workshop',
    summary: 'Play random stories around the coordinator; check that it forgets nothing.',
    load: () => import('./prove/prove-coordinator.ts'),
  },
  'prove:search': {
    group: 'Workshop',
    summary: 'Play random stories around the search index; compare it with one built anew.',
    load: () => import('./prove/prove-search.ts'),
  },
}
