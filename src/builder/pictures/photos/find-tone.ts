/** Finds the placeholder colour of a photo in the fixed list. */
import { TONES } from '../../../domain/photos/tones.ts'

type Channels = readonly [red: number, green: number, blue: number]

const COLOURS = TONES.map(parseColour)

/** Returns the index of the nearest tone by perceived distance. */
export function findTone(colour: Channels): number {
  const distances = COLOURS.map((tone) => measure(tone, colour))
  return distances.indexOf(Math.min(...distances))
}

// Approximates perceived distance without leaving RGB. Source: https://www.compuphase.com/cmetric.htm
function measure([r1, g1, b1]: Channels, [r2, g2, b2]: Channels): number {
  const red = (r1 + r2) / 2
  return (2 + red / 256) * (r1 - r2) ** 2 + 4 * (g1 - g2) ** 2 + (2 + (255 - red) / 256) * (b1 - b2) ** 2
}

function parseColour(hex: string): Channels {
  const number = Number.parseInt(hex.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}
