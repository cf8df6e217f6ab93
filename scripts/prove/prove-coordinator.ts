/** Proves that the coordinator loses no notice and lets no older version go live, in any order of events. */
import { findBrokenPromise } from './coordinator/find-broken-promise.ts'
import { createProof, createSpeed, parseCount, requireNone } from './proof-command.ts'

export const command = createProof<{ readonly stories: number; readonly seed: number }>({
  configure: (parser) =>
    parser.option('--stories <n>', 'number of random stories of each of two kinds', parseCount, 20_000),
  seeded: 'stories',
  prove: async ({ stories, seed }, progress) => {
    const format = createSpeed(2 * stories, 'stories')
    requireNone(findBrokenPromise({ stories, seed, progress: (done) => progress(format(done)) }))
    return format(2 * stories)
  },
})
