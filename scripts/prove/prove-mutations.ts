/** `node scripts/prove-mutations.ts`: breaks copies of the project on purpose, and shows which proof catches what. */
import { Command, Option } from 'commander'
import { MUTATIONS } from './mutations.ts'
import { proveBroken } from './run-proof.ts'
import { createProgress } from '../../src/builder/commands/progress.ts'

interface Flags {
  readonly only?: string
}

const { only } = new Command()
  .name('node scripts/prove-mutations.ts')
  .description('Breaks copies of the project in known ways; each proof that must catch one is run on it.')
  .addOption(new Option('--only <proof>', 'just this proof').choices(['equivalence', 'crash', 'faults']))
  .parse()
  .opts<Flags>()

const progress = createProgress('mutations')
const pairs = MUTATIONS.flatMap((mutation) => mutation.catchers.map((proof) => ({ mutation, proof })))
const missed: string[] = []
for (const { mutation, proof } of pairs.filter((pair) => only === undefined || pair.proof === only)) {
  progress.update(`${mutation.name}: ${proof}`)
  const { isCaught, words } = await proveBroken(mutation, proof)
  const lines = words.split('\n').slice(0, 6)
  console.log(`${isCaught ? 'caught' : 'MISSED'} by ${proof}: ${mutation.name}`)
  for (const line of lines) console.log(`    ${line.slice(0, 160)}`)
  if (!isCaught) missed.push(`${mutation.name} (${proof})`)
}
if (missed.length === 0) progress.done('each mutation is caught')
else {
  progress.fail(`missed: ${missed.join(', ')}`)
  process.exitCode = 1
}
