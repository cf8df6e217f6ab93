/** Proves that a rebuild makes the same files as a clean build, after any changes of data, code and state. */
import { findDifference } from './equivalence/play.ts'
import { addShrinkOption, createProof, parseCount, proveStories } from './proof-command.ts'
import { openStage } from './site/stage.ts'

interface ProveEquivalenceOptions {
  readonly sequences: number
  readonly seed: number
  readonly shrink: number
}

export const command = createProof<ProveEquivalenceOptions>({
  configure: (parser) =>
    addShrinkOption(parser).option('--sequences <n>', 'number of random stories', parseCount, 300),
  seeded: 'stories',
  prove: async ({ sequences: count, ...options }, progress) => {
    const stage = await openStage({ progress })
    try {
      return await proveStories('sequences', { ...options, count }, progress, (stories) =>
        findDifference(stage, stories),
      )
    } finally {
      stage.close()
    }
  },
})
