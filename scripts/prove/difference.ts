/** The error that a proof throws if a check fails. */
export class Difference extends Error {
  override readonly name = 'Difference'
}
