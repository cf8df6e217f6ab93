/** Parses the port of an option. */
import { InvalidArgumentError } from 'commander'

/** `least` is the lowest valid port: 0, which means any free port, or 1. Throws an `InvalidArgumentError`. */
export function parsePort(text: string, least = 1): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number < 65_536) return number
  throw new InvalidArgumentError(`A port is a number from ${least} to 65535.`)
}
