/** Reads which letters a TrueType font has, from its table of characters. Source: https://aka.ms/opentype-cmap */

/** Returns the code points that the font can draw. Knows only format 4, the table that fonts have for BMP characters. */
export function listLetters(font: Buffer): readonly number[] {
  const table = findTable(font, 'cmap')
  const maps = Array.from({ length: font.readUInt16BE(table + 2) }, (_, index) =>
    font.readUInt32BE(table + 8 + index * 8),
  )
  const map = maps.map((offset) => table + offset).find((offset) => font.readUInt16BE(offset) === 4)
  if (map === undefined) throw new Error('The font has no table of characters of format 4.')
  const size = font.readUInt16BE(map + 6)
  return Array.from({ length: size / 2 }, (_, index) => listSegment(font, map + 14 + index * 2, size)).flat()
}

function findTable(font: Buffer, name: string): number {
  for (let at = 12; at < 12 + font.readUInt16BE(4) * 16; at += 16)
    if (font.toString('latin1', at, at + 4) === name) return font.readUInt32BE(at + 8)
  throw new Error(`The font has no table ${name}.`)
}

/** `end` is the place of the segment's last letter; its first letter, delta and offset follow in arrays of `size`. */
function listSegment(font: Buffer, end: number, size: number): readonly number[] {
  const start = end + size + 2
  const [first, last] = [font.readUInt16BE(start), font.readUInt16BE(end)]
  const delta = font.readUInt16BE(start + size)
  const offset = font.readUInt16BE(start + 2 * size)
  const findGlyph = (letter: number): number => {
    if (offset === 0) return (letter + delta) & 0xffff
    return font.readUInt16BE(start + 2 * size + offset + (letter - first) * 2)
  }
  const letters = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return letters.filter((letter) => letter < 0xffff && findGlyph(letter) !== 0)
}
