/** The `bench` command: measures rebuilds beside other generators, a million pages, a live site, and the search. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Argument } from 'commander'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { createCountParser } from '../measure/parse-count.ts'
import type { BenchTools, Verdict } from './verdict.ts'

interface BenchOptions {
  readonly what: keyof typeof BENCHES
  readonly isQuick: boolean
  readonly folder: string
  /** Number of sellers on the site of a million pages. */
  readonly sellers: number | undefined
}

type Tools = BenchTools & Pick<BenchOptions, 'sellers'>

const BENCHES = {
  rebuilds: async (tools: Tools): Promise<Verdict> => (await import('./rebuilds.ts')).benchRebuilds(tools),
  million: async (tools: Tools): Promise<Verdict> => (await import('./million.ts')).benchMillion(tools),
  live: async (tools: Tools): Promise<Verdict> => (await import('./live/run-live.ts')).benchLive(tools),
  search: async (tools: Tools): Promise<Verdict> => (await import('./search.ts')).benchSearch(tools),
} as const

const HELP = `
Without an argument, the bench measures rebuilds among 1,000, 10,000 and 100,000
sellers, and all pages of 10,000 beside Eleventy, Astro and, where it is
installed, Hugo. The other values of the argument measure:
  million   a million pages, and the rebuild after one changed price
  live      how soon a change is served from a bucket, with a builder that waits
  search    queries over 25,000 and over 250,000 products

With --quick, an exceeded budget does not change the exit code. --json prints
figures of search and live.`

/** Values of the argument `what`. Without an argument, the bench measures `rebuilds`. */
const PARTS = ['million', 'live', 'search'] as const

export const command: CommandDefinition<BenchOptions> = {
  blank: {},
  configure: (parser) =>
    void parser
      .addArgument(
        new Argument('[what]', 'what to measure, as listed below; default: rebuilds').choices(PARTS),
      )
      .option('--quick', 'measure fewer sellers')
      .option('--sellers <n>', 'number of sellers, only for million', createCountParser(100, 1_000_000))
      .option(
        '--folder <folder>',
        'working folder; needs 19 GB of free space, 1.4 GB with --quick, 20 GB for million',
        join(tmpdir(), 'vitrina-bench'),
      )
      .addHelpText('after', HELP),
  parse: ({ flags, words }) => ({
    what: PARTS.find((part) => part === words[0]) ?? 'rebuilds',
    isQuick: flags['quick'] === true,
    folder: String(flags['folder']),
    sellers: flags['sellers'] as number | undefined,
  }),
  run: async ({ what, ...options }, { print, progress }) => {
    const { text, isKept, figures } = await BENCHES[what]({ ...options, progress: progress.update })
    progress.done('')
    print(text)
    return {
      exit: isKept || options.isQuick ? EXIT.done : EXIT.attention,
      ...(figures !== undefined && { report: figures }),
    }
  },
}
