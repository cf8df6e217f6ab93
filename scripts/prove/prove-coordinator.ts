/** Proves that the coordinator loses no notice and lets no older version go live, in any order of events. */
import { findBrokenChange } from './coordinator/changes/play-change-story.ts'
import { findBrokenPromise } from './coordinator/play-story.ts'
import { addShrinkOption, createProof, parseCount, proveStories } from './proof-command.ts'

interface ProveCoordinatorOptions {
  readonly stories: number
  readonly seed: number
  readonly shrink: number
}

export const command = createProof<ProveCoordinatorOptions>({
  configure: (parser) =>
    addShrinkOption(parser).option(
      '--stories <n>',
      'number of random stories of each of two kinds',
      parseCount,
      20_000,
    ),
  seeded: 'stories',
  prove: async ({ stories: count, seed, shrink }, progress) => {
    const options = { count, seed, shrink }
    const built = await proveStories('stories of builders', options, progress, findBrokenPromise)
    return `${built}; ${await proveStories('stories of changes', options, progress, findBrokenChange)}`
  },
})
