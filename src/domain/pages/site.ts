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

const MEBIBYTE = 1024 * 1024

/** Max bytes of a file. Source: https://developers.cloudflare.com/workers/platform/limits/#static-assets */
export const LARGEST_FILE = 25 * MEBIBYTE
