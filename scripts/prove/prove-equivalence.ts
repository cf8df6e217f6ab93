/** Proves that a rebuild makes the same files as a clean build, after any changes of data, code and state. */
import { findDifference } from './equivalence/play.ts'
import { createStoryProof } from './proof-command.ts'
import { openStage } from './site/stage.ts'

export const command = createStoryProof({
  stories: ['sequences', 300],
  prove: async (_, { play, progress }) => {
    const stage = await openStage({ progress })
    return play('sequences', (options) => findDifference(stage, options)).finally(() => stage.close())
  },
})
