/** A preload for child processes: the program starts late. */
import { findDelay } from './delay.ts'

Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, findDelay('child'))
