/** Proves that stored pages are right at rest and never go back, in any order of events. */
import { openEdgeInMemory } from './edge/memory/edge-in-memory.ts'
import { openRuntime } from './edge/edge-on-runtime.ts'
import { findWrongAnswer } from './edge/find-wrong-answer.ts'
import { createProof, createSpeed, parseCount, requireNone } from './proof-command.ts'

interface ProveEdgeOptions {
  readonly histories: number
  readonly seed: number
  readonly memory?: boolean
}

/** Happenings of a history. */
const LENGTH = 80

export const command = createProof<ProveEdgeOptions>({
  configure: (parser) =>
    parser
      .option('--histories <n>', 'number of random histories', parseCount, 300)
      .option('--memory', 'play them without the runtime, which is faster'),
  seeded: 'histories',
  prove: async ({ histories: stories, seed, memory = false }, progress) => {
    const runtime = memory ? null : await openRuntime()
    try {
      const format = createSpeed(stories, 'histories')
      const history = await findWrongAnswer({
        stories,
        seed,
        length: LENGTH,
        areCrashesCheap: memory,
        openEdge: runtime === null ? openEdgeInMemory : runtime.openEdge,
        progress: ({ done, tried }) =>
          progress(
            tried === 0
              ? format(done)
              : `a difference after ${done} histories; making it shorter: ${tried} tried`,
          ),
      })
      const again = `npm run prove:edge -- --histories ${stories} --seed ${seed}${memory ? ' --memory' : ''}`
      requireNone(history === null ? null : `${history}\nAgain: ${again}`)
      return format(stories)
    } finally {
      await runtime?.close()
    }
  },
})
