/** The placeholder colours of photos. A fixed list of classes, because the security policy forbids inline styles. */

/** Same order as the classes `.t0`, `.t1` ... of the style sheet. Muted, like the average colours of photos. */
export const TONES = [
  '#f4f1ee',
  '#d3cdc8',
  '#97918d',
  '#4f4a48',
  '#1f1c1c',
  '#e8c9a4',
  '#b07c4a',
  '#5f3b24',
  '#e7b3b3',
  '#9c3b45',
  '#c9b5dd',
  '#5b4a86',
  '#a9c4e4',
  '#3d5f92',
  '#a8cfb4',
  '#3f6e52',
] as const

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
