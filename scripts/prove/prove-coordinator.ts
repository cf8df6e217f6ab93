/** Proves that the coordinator loses no notice and lets no older version go live, in random orders of events. */
import { findBrokenPromise } from './coordinator/play-story.ts'
import { createStoryProof } from './proof-command.ts'

export const command = createStoryProof({
  stories: 20_000,
  prove: (_, play) => play(findBrokenPromise),
})
