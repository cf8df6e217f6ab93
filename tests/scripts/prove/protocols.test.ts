/** The models of the protocols; `npx vitrina prove:protocols` plays many more stories. */
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../scripts/measure/random.ts'
import { PROTOCOLS } from '../../../scripts/prove/prove-protocols.ts'
import { findWrongStory } from '../../../scripts/prove/protocols/protocol.ts'

describe.each(PROTOCOLS)('$name', (protocol) => {
  it('ends right after any story', () => {
    expect(findWrongStory(protocol, null, 1, 3_000)).toBeNull()
  })

  it.each(Object.entries(protocol.rules))('needs the rule that %s', (rule, seed) => {
    expect(protocol.play(createRandom(seed), null)).toBe(true)
    expect(protocol.play(createRandom(seed), rule)).toBe(false)
  })
})
