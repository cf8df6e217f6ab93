/**
 * Proves that stored pages never go back to older data, and are correct after everything was delivered, in random
 * orders of events.
 */
import { openRuntime } from './edge/edge-on-runtime.ts'
import { openEdgeInMemory } from './edge/memory/edge-in-memory.ts'
import { findWrongAnswer } from './edge/play-story.ts'
import { createStoryProof } from './proof-command.ts'

/** Max parts of a story. A part is one happening or one scene. */
const LENGTH = 80

export const command = createStoryProof<{ readonly memory?: boolean }>({
  stories: ['histories', 300],
  configure: (parser) =>
    parser.option('--memory', 'play the histories in this process, without workerd (faster)'),
  prove: async ({ memory = false }, { play }) => {
    const runtime = memory ? null : await openRuntime()
    const openEdge = runtime === null ? openEdgeInMemory : runtime.openEdge
    const setup = { length: LENGTH, areCrashesCheap: memory, openEdge }
    return play('histories', (options) => findWrongAnswer(setup, options)).finally(() => runtime?.close())
  },
})
