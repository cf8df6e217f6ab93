/** The settings of the site that every page receives. */

export type Site = {
  /** Shown as the brand and after `|` in titles. */
  readonly name: string
  /** Origin of canonical addresses, without a trailing slash. */
  readonly url: string
  /** Target of the button 'Acceder'; `null` for a button without action. */
  readonly accessUrl: string | null
  /** Whether each product has a page of its own. */
  readonly productPages: boolean
}
