/** Parses the port of an option. */
import { InvalidArgumentError } from 'commander'

/** Throws an `InvalidArgumentError`. 0 means any free port, if `least` is 0. */
export function parsePort(text: string, least = 1): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number < 65_536) return number
  throw new InvalidArgumentError(`A port is a number from ${least} to 65535.`)
}
