/**
 * Measures rebuilds, the webhook, the watch, sites of objects, the search, requests, and a million pages. Rebuilds are
 * compared with other generators that make the same pages.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Argument } from 'commander'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { createCountParser } from '../measure/parse-count.ts'
import type { BenchTools, Verdict } from './verdict.ts'

export interface BenchOptions {
  readonly what: keyof typeof BENCHES
  readonly isQuick: boolean
  /** True if the figures and the chart are written to docs/. */
  readonly isSaved: boolean
  readonly folder: string
  /** Number of sellers of the larger site of objects, or of the site of a million pages. */
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

/** Parts that can be measured alone. */
const PARTS = ['webhook', 'watch', 'edge', 'search', 'requests', 'million'] as const

export const command: CommandDefinition<BenchOptions> = {
  configure: (parser) =>
    parser
      .addArgument(
        new Argument(
          '[what]',
          'webhook: notices accepted a second; watch: time from a change to its file; edge: a site of objects with 1,000 and with 50,000 sellers; search: queries over 250,000 products; requests: processor time of each kind of request, beside what Workers Free has; million: a million pages, one changed price, and how far Hugo, Eleventy and Astro get; default: rebuilds among 1,000, 10,000 and 100,000 sellers, and the same pages by Astro and Eleventy',
        ).choices(PARTS),
      )
      .option('--quick', 'measure fewer sellers, in about two minutes')
      .option(
        '--sellers <n>',
        'edge: sellers of the larger site; million: sellers',
        createCountParser(100, 1_000_000),
      )
      .option('--save', 'keep the figures and the chart in docs/')
      .option(
        '--folder <folder>',
        'where to work; 13 GB free, 1 GB with --quick; million: 20 GB',
        join(tmpdir(), 'vitrina-bench'),
      )
      .addHelpText(
        'after',
        `${formatExitCodes('done', 'attention', 'usage', 'unfinished')}\n\nWith --quick a broken budget does not count.`,
      ),
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
