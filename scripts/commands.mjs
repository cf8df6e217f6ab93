/** All commands of the program, by name: summary, group in the help, and the module, loaded on use. */

/**
 * @typedef {object} Entry
 * @property {'Site' | 'Data' | 'Publishing' | 'Development' | 'Workshop'} group
 * @property {string} summary
 * @property {() => Promise<{ command: import('../src/builder/commands/command.ts').CommandDefinition<any> }>} load
 * @property {boolean} [renders] Whether it renders pages in this process.
 */

/** @type {Readonly<Record<string, Entry>>} */
export const COMMANDS = {
  start: {
    group: 'Site',
    summary: 'Build the storefront and serve it on the local edge runtime.',
    load: () => import('../src/builder/commands/local/start.ts'),
  },
  preview: {
    group: 'Site',
    summary: 'Serve the site as it was built last.',
    load: () => import('../src/builder/commands/local/preview.ts'),
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
    renders: true,
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
  deploy: {
    group: 'Publishing',
    summary: 'Verify the built site and publish it, unless the live site is newer.',
    load: () => import('../src/builder/commands/deploy/deploy.ts'),
    renders: true,
  },
  'publish:waiting': {
    group: 'Publishing',
    summary: "Build and publish what waits at the site's coordinator, as the workflows do.",
    load: () => import('../src/builder/commands/publish-waiting.ts'),
  },
  notify: {
    group: 'Publishing',
    summary: 'Report changed sellers to the site, which starts a rebuild.',
    load: () => import('../src/builder/commands/coordinator/notify.ts'),
  },
  status: {
    group: 'Publishing',
    summary: "Show pending sellers, the current build and failures of the site's coordinator.",
    load: () => import('../src/builder/commands/coordinator/status.ts'),
  },
  builder: {
    group: 'Publishing',
    summary: 'Keep running, and build at each dispatch of the coordinator.',
    load: () => import('../src/builder/commands/follow/builder.ts'),
    renders: true,
  },
  dev: {
    group: 'Development',
    summary: "Start Astro's development server on the same data.",
    load: async () => ({ command: (await import('../src/builder/commands/local/astro.ts')).dev }),
  },
  check: {
    group: 'Development',
    summary: 'Check types, lint, format, imports and exports.',
    load: () => import('./audit/check.ts'),
  },
  format: {
    group: 'Development',
    summary: 'Fix the format, and the lint problems with an automatic fix.',
    load: () => import('./audit/format.ts'),
  },
  'check:imports': {
    group: 'Development',
    summary: 'Check every import against the wings and rooms of the project.',
    load: () => import('./audit/check-imports.ts'),
  },
  'check:pages': {
    group: 'Development',
    summary: 'Check every file of a built site: markup, references, policy, sharing, weight.',
    load: () => import('./audit/check-pages.ts'),
  },
  'check:html': {
    group: 'Development',
    summary: 'Check every kind of page with the Nu HTML checker, which needs Java.',
    load: () => import('./audit/check-html.ts'),
  },
  'check:engines': {
    group: 'Development',
    summary: 'Play what visitors do in Chromium, Firefox and WebKit.',
    load: () => import('./audit/check-engines.ts'),
  },
  'check:edited': {
    group: 'Development',
    summary: 'Run the tests of the files that you just edited.',
    load: () => import('./audit/check-edited.ts'),
  },
  'check:load': {
    group: 'Development',
    summary: 'Run the tests on a machine that is busy, small, slow or of another user.',
    load: () => import('./audit/check-load.ts'),
  },
  screenshots: {
    group: 'Development',
    summary: 'Take screenshots: every screen; widths, light and dark, forced colours, zoom.',
    load: () => import('./audit/screenshots.ts'),
  },
  lighthouse: {
    group: 'Development',
    summary: 'Measure pages with Lighthouse on a slow phone, and keep the reports.',
    load: () => import('./audit/lighthouse.ts'),
  },
  'demo:live': {
    group: 'Development',
    summary: 'Change prices in a local Firestore and time each step up to the visitor.',
    load: () => import('./demo/demo-live.ts'),
    renders: true,
  },
  'demo:edge': {
    group: 'Development',
    summary:
      'Change prices by SQL and in Firestore, and time each step up to the visitor of a site of objects.',
    load: () => import('./demo/edge/demo-edge.ts'),
  },
  bench: {
    group: 'Workshop',
    summary: 'Measure rebuilds (also of Astro and Eleventy), webhook, watch, sites of objects, and search.',
    load: () => import('./bench/bench.ts'),
  },
  'prove:equivalence': {
    group: 'Workshop',
    summary: 'Apply random changes and compare the site with a clean build after each.',
    load: () => import('./prove/prove-equivalence.ts'),
  },
  'prove:crash': {
    group: 'Workshop',
    summary: 'Kill rebuilds at named steps and random instants; check that the next repairs.',
    load: () => import('./prove/prove-crash.ts'),
  },
  'prove:faults': {
    group: 'Workshop',
    summary: 'Fail each write and database call of a rebuild; check that the next repairs.',
    load: () => import('./prove/prove-faults.ts'),
  },
  'prove:power': {
    group: 'Workshop',
    summary: 'Cut the power during and after rebuilds; check that the next repairs.',
    load: () => import('./prove/prove-power.ts'),
  },
  'prove:protocols': {
    group: 'Workshop',
    summary: 'Play models of the protocols that order writes; check that each rule is needed.',
    load: () => import('./prove/prove-protocols.ts'),
  },
  'prove:coordinator': {
    group: 'Workshop',
    summary: 'Play random stories around the coordinator; check that it forgets nothing.',
    load: () => import('./prove/prove-coordinator.ts'),
  },
  'prove:edge': {
    group: 'Workshop',
    summary: 'Play random histories of stored pages on the runtime; check every answer.',
    load: () => import('./prove/prove-edge.ts'),
  },
  'prove:search': {
    group: 'Workshop',
    summary: 'Play random stories around the search index; compare it with one built anew.',
    load: () => import('./prove/prove-search.ts'),
  },
  'prove:hostile': {
    group: 'Workshop',
    summary: 'Let one random seller attack; compare what others have with a site without her.',
    load: () => import('./prove/prove-hostile.ts'),
  },
  'prove:delivery': {
    group: 'Workshop',
    summary: 'Kill deliveries, fail the store, ask for strange ids; check what visitors get.',
    load: () => import('./prove/prove-delivery.ts'),
  },
  'prove:mutations': {
    group: 'Workshop',
    summary: 'Break copies of the project in known ways; check that a proof or test fails.',
    load: () => import('./prove/prove-mutations.ts'),
  },
  rehearse: {
    group: 'Workshop',
    summary: 'Take the documented path from an empty account to a live site, and on.',
    load: () => import('./rehearse/rehearse.ts'),
  },
}
