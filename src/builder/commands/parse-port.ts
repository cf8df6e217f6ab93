/** A port, from an option's text. */
import { InvalidArgumentError } from 'commander'

/** Throws an `InvalidArgumentError`. 0 stands for any that is free, where `least` admits it. */
export function parsePort(text: string, least = 1): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= least && number < 65_536) return number
  throw new InvalidArgumentError(`A port is a number from ${least} to 65535.`)
}
