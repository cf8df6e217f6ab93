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
}
