/** `npm run prove:equivalence`: whatever happens to data, code and state, a rebuild gives what a clean build gives. */
import { Command } from 'commander'
import { findDifference } from './equivalence.ts'
import { openStage } from './stage.ts'
import { choosePhotos, parseCount, PHOTOS_HELP } from './prove-options.ts'
import { createProgress } from '../../src/builder/commands/progress.ts'

interface Flags {
  readonly photos?: true
  readonly sequences: number
  readonly seed: number
  readonly shrink: number
}

const { sequences, seed, shrink, ...flags } = new Command()
  .name('npm run prove:equivalence --')
  .description('Plays random stories and compares the site with a clean build after each step.')
  .option('--sequences <n>', 'how many stories', parseCount, 300)
  .option('--seed <n>', 'the same seed gives the same stories', parseCount, Date.now() % 1_000_000)
  .option('--shrink <seconds>', 'how long to look for a shorter story of a difference', parseCount, 90)
  .option('--photos', PHOTOS_HELP)
  .parse()
  .opts<Flags>()

const progress = createProgress('equivalence')
const stage = await openStage({ photos: choosePhotos(flags), progress: (text) => progress.update(text) })
const begin = performance.now()
const formatSpeed = (done: number): string => {
  const seconds = (performance.now() - begin) / 1000
  return `${done} of ${sequences} sequences, ${(done / seconds).toFixed(1)} a second`
}
const story = await findDifference(stage, {
  sequences,
  seed,
  shrinking: shrink * 1000,
  progress: (done) => progress.update(formatSpeed(done)),
})
stage.close()
if (story === null) {
  progress.done(`no difference: ${formatSpeed(sequences)} (seed ${seed})`)
} else {
  progress.fail(`a difference (seed ${seed}):\n${story}`)
  process.exitCode = 1
}
