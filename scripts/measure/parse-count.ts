/** Parses whole numbers that are given as options of a command. */
import { InvalidArgumentError } from 'commander'

/** Returns a parser for commander that accepts whole numbers from `min` to `max`. */
export function createCountParser(min: number, max: number): (text: string) => number {
  return (text) => {
    const count = Number(text)
    if (/^\d+$/.test(text) && count >= min && count <= max) return count
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}
