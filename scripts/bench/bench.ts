/**
 * The `bench` command: measures rebuilds, the webhook, `rebuild --watch`, sites of objects, the search, requests to the
 * Worker, and a site of a million pages. Rebuilds are compared with other generators that make the same pages.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Argument } from 'commander'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { createCountParser } from '../measure/parse-count.ts'
import type { BenchTools, Verdict } from './verdict.ts'

interface BenchOptions {
  readonly what: keyof typeof BENCHES
  readonly isQuick: boolean
  /** True if the rebuild bench writes its figures and chart to docs/ instead of `folder`. */
  readonly isSaved: boolean
  readonly folder: string
  /** Number of sellers: on the larger site of objects (`edge`), or on the site of a million pages (`million`). */
  readonly sellers: number | undefined
}

interface Tools extends BenchTools, Pick<BenchOptions, 'isSaved' | 'sellers'> {
  readonly listenForEnd: () => AbortSignal
}

const BENCHES = {
  rebuilds: async (tools: Tools): Promise<Verdict> =>
    (await import('./rebuilds/run-bench.ts')).benchRebuilds(tools, tools.isSaved),
  webhook: async ({ folder }: Tools): Promise<Verdict> =>
    (await import('./webhook/measure-webhook.ts')).benchWebhook(join(folder, 'webhook')),
  watch: async ({ folder, progress }: Tools): Promise<Verdict> =>
    (await import('./watch/measure-watch.ts')).benchWatch(join(folder, 'watch'), progress),
  edge: async (tools: Tools): Promise<Verdict> => {
    const { benchEdge } = await import('./edge/run-edge.ts')
    return benchEdge({ ...tools, folder: join(tools.folder, 'edge'), end: tools.listenForEnd() })
  },
  search: async (tools: Tools): Promise<Verdict> =>
    (await import('./search/run-search.ts')).benchSearch(tools),
  requests: async ({ folder, ...tools }: Tools): Promise<Verdict> => {
    const { benchRequests } = await import('./requests/run-requests.ts')
    return benchRequests({ ...tools, folder: join(folder, 'requests') })
  },
  million: async (tools: Tools): Promise<Verdict> =>
    (await import('./million/run-million.ts')).benchMillion({
      ...tools,
      folder: join(tools.folder, 'million'),
    }),
} as const

const HELP = `

Without an argument, the bench measures rebuilds among 1,000, 10,000 and 100,000
sellers, and how long Astro and Eleventy take to make the same pages. The other
values of the argument measure:
  webhook   notices accepted per second
  watch     time until rebuild --watch has written a change to its page
  edge      two sites of objects, with 1,000 and with 50,000 sellers
  search    queries over 250,000 products
  requests  processor time of each kind of request, and the limit of Workers Free
  million   a million pages, the rebuild after one changed price, and the pages of other generators in the same time

With --quick, an exceeded budget does not change the exit code.`

/** Values of the argument `what`. Without an argument, the bench measures `rebuilds`. */
const PARTS = ['webhook', 'watch', 'edge', 'search', 'requests', 'million'] as const

export const command: CommandDefinition<BenchOptions> = {
  configure: (parser) =>
    parser
      .addArgument(
        new Argument('[what]', 'what to measure, as listed below; default: rebuilds').choices(PARTS),
      )
      .option('--quick', 'measure fewer sellers, in about two minutes')
      .option(
        '--sellers <n>',
        'number of sellers, only for edge (on its larger site) and for million',
        createCountParser(100, 1_000_000),
      )
      .option('--save', 'write the figures and the chart of the default bench to docs/')
      .option(
        '--folder <folder>',
        'working folder; needs 19 GB of free space, 1.4 GB with --quick, 20 GB for million',
        join(tmpdir(), 'vitrina-bench'),
      )
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished') + HELP),
  parse: ({ flags, words }) => ({
    what: PARTS.find((part) => part === words[0]) ?? 'rebuilds',
    isQuick: flags['quick'] === true,
    isSaved: flags['save'] === true,
    folder: String(flags['folder']),
    sellers: flags['sellers'] as number | undefined,
  }),
  run: async ({ what, ...options }, { print, progress, listenForEnd }) => {
    const { text, isKept } = await BENCHES[what]({ ...options, progress: progress.update, listenForEnd })
    progress.done('')
    print(text)
    return { exit: isKept || options.isQuick ? EXIT.done : EXIT.attention }
  },
}
