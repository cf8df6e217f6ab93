/** Proves that stored pages are right at rest and never go back, in any order of events. */
import { openEdgeInMemory } from './edge/memory/edge-in-memory.ts'
import { openRuntime } from './edge/edge-on-runtime.ts'
import { findWrongAnswer } from './edge/play-story.ts'
import { addShrinkOption, createProof, parseCount, proveStories } from './proof-command.ts'

interface ProveEdgeOptions {
  readonly histories: number
  readonly seed: number
  readonly shrink: number
  readonly memory?: boolean
}

/** Max happenings of a history. */
const LENGTH = 80

export const command = createProof<ProveEdgeOptions>({
  configure: (parser) =>
    addShrinkOption(parser)
      .option('--histories <n>', 'number of random histories', parseCount, 300)
      .option('--memory', 'play them without the runtime, which is faster'),
  seeded: 'histories',
  prove: async ({ histories: count, memory = false, ...options }, progress) => {
    const runtime = memory ? null : await openRuntime()
    const openEdge = runtime === null ? openEdgeInMemory : runtime.openEdge
    const setup = { length: LENGTH, areCrashesCheap: memory, openEdge }
    try {
      return await proveStories('histories', { ...options, count }, progress, (stories) =>
        findWrongAnswer(setup, stories),
      )
    } finally {
      await runtime?.close()
    }
  },
})
