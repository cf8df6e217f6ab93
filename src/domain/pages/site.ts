/** The settings of the site that every page receives. */
import type { PageSwitches } from '../documents/page-switches.ts'

export type Site = PageSwitches & {
  /** Shown as the brand and after `|` in titles. */
  readonly name: string
  /** Origin of canonical addresses, without a trailing slash. */
  readonly url: string
  /** Target of the button 'Acceder'; `null` for a button without action. */
  readonly accessUrl: string | null
}
