/** `draw:rooms`: draws the wings and rooms of the project as `docs/rooms.svg`, from the tables of `docs/design.md`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandDefinition } from '../../../src/builder/commands/command.ts'
import { EXIT } from '../../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../../src/builder/commands/program.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import type { Wing } from './rooms.ts'
import { WINGS } from './rooms.ts'

/** Path relative to the project's root. */
export const ROOMS_PICTURE = 'docs/rooms.svg'

const WIDTH = 940
const GAP = 34
const PAD = 12
const LINE = 22
/** Average width of a character by text size, in pixels. */
const LETTER = { name: 8, small: 6.4 }
/** Space to the left and right of each level, for arrows that pass the level. The bottom level comes first. */
const MARGINS: readonly (readonly [left: number, right: number])[] = [
  [0, 0],
  [0, 60],
  [70, 170],
  [70, 0],
  [0, 0],
]

interface Box {
  readonly wing: Wing
  readonly level: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const command: CommandDefinition<object> = {
  configure: (parser) => void parser.addHelpText('after', formatExitCodes('done')),
  parse: () => ({}),
  run: async (_, { print }) => {
    writeFileSync(join(ROOT, ROOMS_PICTURE), drawRooms(WINGS))
    print(`${ROOMS_PICTURE} shows ${WINGS.length} wings.`)
    return { exit: EXIT.done }
  },
}

/** Draws each wing and each room above those that it imports. Returns the text of an SVG file. */
export function drawRooms(wings: readonly Wing[]): string {
  const boxes = placeWings(wings)
  const height = Math.max(...boxes.map(({ y, height: own }) => y + own)) + 1
  const arrows = boxes.flatMap((from) => listArrows(from, boxes))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>The wings and rooms of the code. Each imports from what is below it.</title>
<style>
text { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: #1b1b1f }
.name { font-size: 13px; font-weight: 600 }
.small { font-size: 11px; fill: #5a5a66 }
.wing { fill: #f6f6f8; stroke: #c9c9d2 }
.room { fill: #fff; stroke: #c9c9d2 }
.arrow { stroke: #8a5a2b; stroke-width: 1.5; fill: none; marker-end: url(#head) }
#head path { fill: #8a5a2b }
@media (prefers-color-scheme: dark) {
  text { fill: #ececf1 }
  .small { fill: #a5a5b3 }
  .wing { fill: #1e1f24; stroke: #45464f }
  .room { fill: #2a2b32; stroke: #45464f }
  .arrow { stroke: #e0a96d }
  #head path { fill: #e0a96d }
}
</style>
<marker id="head" markerWidth="5" markerHeight="5" viewBox="0 0 8 8" refX="7" refY="4" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>
${[...boxes.map(drawBox), ...arrows].join('\n')}
</svg>
`
}

/** Returns the boxes from the top level down. Within a level, wings are sorted by `findLast`. */
function placeWings(wings: readonly Wing[]): readonly Box[] {
  const levels = listLevels(wings, ({ path }) => path)
  const boxes: Box[] = []
  let y = 1
  for (const [level, unsorted] of [...levels.entries()].toReversed()) {
    const row = unsorted.toSorted((a, b) => findLast(a, wings) - findLast(b, wings))
    const rooms = row.reduce((sum, wing) => sum + wing.rooms.length, 0)
    const [left, right] = MARGINS[level] ?? [0, 0]
    const sizes = row.map(measureWing)
    const height = Math.max(...sizes.map((size) => size.height))
    const spare =
      WIDTH - 2 - left - right - GAP * (row.length - 1) - sizes.reduce((sum, { width }) => sum + width, 0)
    let x = left + 1
    row.forEach((wing, index) => {
      const width =
        (sizes[index]?.width ?? 0) +
        Math.floor(spare * (rooms > 0 ? wing.rooms.length / rooms : 1 / row.length))
      boxes.push({ wing, level, x, y, width, height })
      x += width + GAP
    })
    y += height + GAP
  }
  return boxes
}

/**
 * Returns the position in `wings` of the last wing that this wing imports; -1 if it imports none. Sorting a level by
 * this position places each wing near that imported wing.
 */
function findLast({ imports }: Wing, wings: readonly Wing[]): number {
  return wings.findLastIndex(({ path }) => imports.includes(path))
}

/** Groups items into levels. Items of the first level import nothing; other items import only from earlier levels. */
function listLevels<T extends Pick<Wing, 'imports'>>(
  all: readonly T[],
  readName: (one: T) => string,
): readonly (readonly T[])[] {
  const find = (one: T): number =>
    1 +
    Math.max(-1, ...all.filter((other) => other !== one && one.imports.includes(readName(other))).map(find))
  const levels = Map.groupBy(all, find)
  return [...levels.keys()].toSorted((a, b) => a - b).map((level) => levels.get(level) ?? [])
}

function listRows({ rooms }: Wing): readonly (readonly string[])[] {
  return listLevels(rooms, ({ name }) => name)
    .map((row) => row.map(({ name }) => name))
    .toReversed()
}

function measureRoom(name: string): number {
  return name.length * LETTER.name + PAD
}

function measureRow(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + measureRoom(name) + PAD / 2, -PAD / 2)
}

function measureWing(wing: Wing): Pick<Box, 'width' | 'height'> {
  const rows = listRows(wing)
  const title = Math.max(wing.path.length * LETTER.name, formatPlace(wing).length * LETTER.small)
  return {
    width: Math.ceil(Math.max(title, ...rows.map(measureRow))) + 2 * PAD,
    height: 46 + rows.length * (LINE + 4),
  }
}

function formatPlace({ runsIn }: Wing): string {
  return `runs in: ${runsIn}`
}

function drawBox({ wing, x, y, width, height }: Box): string {
  const rooms = listRows(wing).flatMap((row, index) =>
    drawRow(row, { x: x + (width - measureRow(row)) / 2, y: y + 42 + index * (LINE + 4) }),
  )
  return [
    `<rect class="wing" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`,
    `<text class="name" x="${x + PAD}" y="${y + 18}">${wing.path}</text>`,
    `<text class="small" x="${x + PAD}" y="${y + 33}">${formatPlace(wing)}</text>`,
    ...rooms,
  ].join('\n')
}

function drawRow(names: readonly string[], { x, y }: Pick<Box, 'x' | 'y'>): readonly string[] {
  let left = x
  return names.map((name) => {
    const width = measureRoom(name)
    const [at, middle] = [left, left + width / 2]
    left += width + PAD / 2
    return `<rect class="room" x="${at}" y="${y}" width="${width}" height="${LINE}" rx="4"/><text x="${middle}" y="${y + 15}" text-anchor="middle">${name}</text>`
  })
}

/**
 * Returns the arrows from a wing to the wings that it imports. Omits an arrow to a wing that another imported wing
 * imports too, and an arrow that cannot run straight down without crossing a box.
 */
function listArrows(from: Box, boxes: readonly Box[]): readonly string[] {
  const imported = boxes.filter(({ wing }) => from.wing.imports.includes(wing.path))
  return imported
    .filter(({ wing }) => !imported.some((other) => other.wing.imports.includes(wing.path)))
    .flatMap((to) => {
      const x = findWay(from, to, boxes)
      return x === null ? [] : [`<path class="arrow" d="M${x} ${from.y + from.height}V${to.y - 2}"/>`]
    })
}

function findWay(from: Box, to: Box, boxes: readonly Box[]): number | null {
  const between = boxes.filter(({ level }) => level < from.level && level > to.level)
  const [left, right] = [Math.max(from.x, to.x) + PAD, Math.min(from.x + from.width, to.x + to.width) - PAD]
  const ways = Array.from({ length: Math.max(0, Math.floor(right - left)) }, (_, at) => Math.round(left) + at)
  const free = ways.filter((x) => between.every((box) => x < box.x - PAD || x > box.x + box.width + PAD))
  return free[Math.floor(free.length / 2)] ?? null
}
