/** What every page knows of the site it stands in. */

export type Site = {
  /** Shown as the brand and after `|` in titles. */
  readonly name: string
  /** Origin of canonical addresses, without a slash at its end. */
  readonly url: string
  /** Where 'Acceder' leads; `null`: the button has no action. */
  readonly accessUrl: string | null
}
