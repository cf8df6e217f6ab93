/** `npm run prove:faults`: whatever fails on the disk or in a database, a rebuild says so, tears nothing, and the next one puts everything right. */
import { Command, Option } from 'commander'
import { Difference } from './check-run.ts'
import { proveFaults } from './faults.ts'
import { openLanes } from './lanes.ts'
import { chooseScenarios, PHOTO_SCENARIOS, SCENARIOS } from './scenarios.ts'
import { createProgress } from '../../src/builder/commands/progress.ts'
import { choosePhotos, parseCount, PHOTOS_HELP } from './prove-options.ts'

interface Flags {
  readonly only?: string
  readonly photos?: true
  readonly every: number
}

const NAMES = [...SCENARIOS, ...PHOTO_SCENARIOS].map(({ name }) => name)

const { only, every, ...flags } = new Command()
  .name('npm run prove:faults --')
  .description(
    'Lets each write, rename, removal and database call of a rebuild fail in turn, then runs it again, and compares the site with clean builds.',
  )
  .option('--every <n>', 'only one operation of so many', parseCount, 1)
  .addOption(new Option('--only <scenario>', 'just this one').choices(NAMES))
  .option('--photos', PHOTOS_HELP)
  .parse()
  .opts<Flags>()

const photos = choosePhotos(flags)
const progress = createProgress('faults')
const lanes = await openLanes({ width: 2, photos, progress: (text) => progress.update(text) })
try {
  const figures = await proveFaults(lanes, {
    scenarios: chooseScenarios(only, photos).filter(({ isLarge }) => !isLarge),
    every: Math.max(1, every),
    progress: (text) => progress.update(text),
  })
  progress.done(`no difference: ${figures.faults} faults, ${figures.survived} of them survived`)
} catch (error) {
  if (!(error instanceof Difference)) throw error
  progress.fail(`a difference:\n${error.message}`)
  process.exitCode = 1
} finally {
  lanes.close()
}
