/**
 * Proves that each protocol for the order of writes ends with correct data, and that none of its rules can be left out.
 */
import { createRandom } from '../measure/random.ts'
import { Difference } from './difference.ts'
import { createProof, parseCount } from './proof-command.ts'
import { indexOrder } from './protocols/index-order.ts'
import { objectOrder } from './protocols/object-order.ts'
import { findWrongStory, type Protocol } from './protocols/protocol.ts'
import { waitingRows } from './protocols/waiting-rows.ts'

export const PROTOCOLS: readonly Protocol[] = [objectOrder, indexOrder, waitingRows]

export const command = createProof<{ readonly stories: number; readonly seed: number }>({
  configure: (parser) =>
    parser.option('--stories <n>', 'number of random stories of each protocol', parseCount, 100_000),
  seeded: 'stories',
  prove: async ({ stories, seed }, progress) => {
    for (const protocol of PROTOCOLS) {
      progress(`${protocol.name}: ${stories} stories`)
      checkProtocol(protocol, seed, stories)
    }
    const rules = PROTOCOLS.flatMap((protocol) => Object.keys(protocol.rules))
    return `${PROTOCOLS.length * stories} stories end with correct data, and each of the ${rules.length} rules is needed for that`
  },
})

/**
 * Throws a `Difference` if a story ends with wrong data, or if the known story of a rule ends with correct data
 * although the rule is left out.
 */
function checkProtocol(protocol: Protocol, seed: number, stories: number): void {
  const wrong = findWrongStory(protocol, null, seed, stories)
  if (wrong !== null)
    throw new Difference(`${protocol.name}: the story of seed ${wrong} ends with wrong data`)
  for (const [rule, known] of Object.entries(protocol.rules)) {
    if (protocol.play(createRandom(known), rule)) {
      throw new Difference(
        `${protocol.name}: the story of seed ${known} ends with correct data without the rule "${rule}", so it does not show that the rule is needed`,
      )
    }
  }
}
