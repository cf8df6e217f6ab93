/** Proves that a rebuild makes the same files as a clean build, after any changes of data, code and state. */
import { findDifference } from './equivalence/play.ts'
import { addShrinkOption, createProof, createSpeed, parseCount, requireNone } from './proof-command.ts'
import { openStage } from './site/stage.ts'

interface ProveEquivalenceOptions {
  readonly sequences: number
  readonly seed: number
  /** In seconds. */
  readonly shrink: number
}

export const command = createProof<ProveEquivalenceOptions>({
  configure: (parser) =>
    addShrinkOption(parser).option('--sequences <n>', 'number of random stories', parseCount, 300),
  seeded: 'stories',
  prove: async ({ sequences, seed, shrink }, progress) => {
    const stage = await openStage({ progress })
    try {
      const format = createSpeed(sequences, 'sequences')
      const options = { count: sequences, seed, shrinking: shrink * 1_000 }
      requireNone(await findDifference(stage, { ...options, progress: (done) => progress(format(done)) }))
      return format(sequences)
    } finally {
      stage.close()
    }
  },
})
