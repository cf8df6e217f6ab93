/** `npm run prove:crash`: a rebuild that is killed at any instant leaves whole files, and the next ones put everything right. */
import { Command, Option } from 'commander'
import { Difference } from './check-run.ts'
import { proveCrash } from './crash.ts'
import { openLanes } from './lanes.ts'
import { chooseScenarios, PHOTO_SCENARIOS, SCENARIOS } from './scenarios.ts'
import { createProgress } from '../../src/builder/commands/progress.ts'
import { choosePhotos, parseCount, PHOTOS_HELP } from './prove-options.ts'

interface Flags {
  readonly only?: string
  readonly photos?: true
  readonly kills: number
  readonly steps: number
  readonly seed: number
}

const NAMES = [...SCENARIOS, ...PHOTO_SCENARIOS].map(({ name }) => name)

const { only, kills, steps, seed, ...flags } = new Command()
  .name('npm run prove:crash --')
  .description(
    'Kills the rebuild command at its steps and at random instants, runs it again with the old data and the new, and compares the site with clean builds.',
  )
  .option('--kills <n>', 'how many in all', parseCount, 300)
  .option('--steps <n>', 'how many of each scenario at most at named steps', parseCount, 28)
  .option('--seed <n>', 'the same seed gives the same instants', parseCount, Date.now() % 1_000_000)
  .addOption(new Option('--only <scenario>', 'just this one').choices(NAMES))
  .option('--photos', PHOTOS_HELP)
  .parse()
  .opts<Flags>()

const photos = choosePhotos(flags)
const progress = createProgress('crash')
const lanes = await openLanes({ width: 2, photos, progress: (text) => progress.update(text) })
try {
  const figures = await proveCrash(lanes, {
    scenarios: chooseScenarios(only, photos),
    kills,
    steps,
    seed,
    progress: (text) => progress.update(text),
  })
  progress.done(
    `no difference: ${figures.steps} kills at steps, ${figures.instants} at random instants, ${figures.late} of them after the end (seed ${seed})`,
  )
} catch (error) {
  if (!(error instanceof Difference)) throw error
  progress.fail(`a difference (seed ${seed}):\n${error.message}`)
  process.exitCode = 1
} finally {
  lanes.close()
}
