/** Proves that the coordinator loses no notice and lets no older version go live, in any order of events. */
import { findBrokenPromise } from './coordinator/play-story.ts'
import { addShrinkOption, createProof, parseCount, proveStories } from './proof-command.ts'

interface ProveCoordinatorOptions {
  readonly stories: number
  readonly seed: number
  readonly shrink: number
}

export const command = createProof<ProveCoordinatorOptions>({
  configure: (parser) =>
    addShrinkOption(parser).option('--stories <n>', 'number of random stories', parseCount, 20_000),
  seeded: 'stories',
  prove: ({ stories: count, ...options }, progress) =>
    proveStories('stories', { ...options, count }, progress, findBrokenPromise),
})
