/** Proves that the protocols which order writes end right, and that none of their rules can be left out. */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { createRandom } from '../measure/random.ts'
import { Difference } from './difference.ts'
import { chooseSeed, concludeProof, parseCount } from './proof-command.ts'
import { PROTOCOLS } from './protocols/list-protocols.ts'
import { findWrongStory, type Protocol } from './protocols/protocol.ts'

interface ProveProtocolsOptions {
  readonly stories: number
  readonly seed: number
}

export const command: CommandDefinition<ProveProtocolsOptions> = {
  configure: (parser) =>
    parser
      .option('--stories <n>', 'number of random stories of each protocol', parseCount, 100_000)
      .option('--seed <n>', 'the seed of the first story', parseCount, chooseSeed())
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ flags }) => ({ ...(flags as Pick<ProveProtocolsOptions, 'stories' | 'seed'>) }),
  run: ({ stories, seed }, terminal) =>
    concludeProof(terminal, ` (seed ${seed})`, async () => {
      for (const protocol of PROTOCOLS) {
        terminal.progress.update(`${protocol.name}: ${stories} stories`)
        checkProtocol(protocol, seed, stories)
      }
      const rules = PROTOCOLS.flatMap((protocol) => Object.keys(protocol.rules))
      return `${PROTOCOLS.length * stories} stories end right, and not without any of ${rules.length} rules`
    }),
}

/** Throws a `Difference` for a story that ends wrong, and for a rule that its known story does not need. */
function checkProtocol(protocol: Protocol, seed: number, stories: number): void {
  const wrong = findWrongStory(protocol, null, seed, stories)
  if (wrong !== null) throw new Difference(`${protocol.name}: the story of seed ${wrong} ends wrong`)
  for (const [rule, known] of Object.entries(protocol.rules)) {
    if (protocol.play(createRandom(known), rule)) {
      throw new Difference(
        `${protocol.name}: the story of seed ${known} ends right without the rule "${rule}"`,
      )
    }
  }
}
