/** Delays inside the process of the tests, when they are run with one. */
import { setTimeout as wait } from 'node:timers/promises'
import { delayAnswers } from '../../../scripts/local/local-server.ts'
import { findDelay } from './delay.ts'

const late = findDelay('stand-in')
if (late > 0) delayAnswers(() => wait(late))

// Hashes are computed by other threads and may end in any order. Each file of tests runs this again.
const { subtle } = crypto
const longest = findDelay('hashes')
if (longest > 0 && !Object.hasOwn(subtle, 'digest')) {
  const digest = subtle.digest.bind(subtle)
  subtle.digest = async (...given) => {
    const hash = await digest(...given)
    await wait(Math.random() * longest)
    return hash
  }
}
