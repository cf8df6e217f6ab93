/** What comes after the documented path: changes, faults and repairs in the life of a site. */
import type { Act } from './acts.ts'

export const LATER: readonly Act[] = []
