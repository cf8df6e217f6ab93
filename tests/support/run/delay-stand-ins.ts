/** Lets every stand-in answer late when the tests are run with that delay. */
import { setTimeout as wait } from 'node:timers/promises'
import { delayAnswers } from '../../../scripts/local/local-server.ts'
import { findDelay } from './delay.ts'

const delay = findDelay('stand-in')
if (delay > 0) delayAnswers(() => wait(delay))
