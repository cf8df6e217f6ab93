/** What the options of the proof programs have in common. */
import { InvalidArgumentError } from 'commander'

export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a number without sign or point.')
  return Number(text)
}
