/** All the bottle shapes of the sample photos. */
import type { Bottle } from './bottle.ts'
import { CLASSIC_BOTTLES } from './bottles-classic.ts'
import { SCULPTED_BOTTLES } from './bottles-sculpted.ts'

export const BOTTLES: readonly Bottle[] = [...CLASSIC_BOTTLES, ...SCULPTED_BOTTLES]
