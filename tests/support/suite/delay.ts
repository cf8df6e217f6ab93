/** A delay that is put into one thing which tests wait for, so that a test which reads too early fails each time. */

const DELAYABLE = ['frames', 'runtime', 'stand-in', 'child', 'hashes'] as const

/** In milliseconds. */
const DELAY = 3_000

/** Such as `frames`, or `frames:400` for another delay. */
const [wanted = '', milliseconds = DELAY] = (process.env['VITRINA_TEST_DELAY'] ?? '').split(':')
if (wanted !== '' && !DELAYABLE.some((name) => name === wanted))
  throw new Error(`VITRINA_TEST_DELAY names none of ${DELAYABLE.join(', ')}`)

/** Returns the milliseconds that this is to be delayed by; 0 by default. */
export function findDelay(what: (typeof DELAYABLE)[number]): number {
  return what === wanted ? Number(milliseconds) : 0
}
