/** Composes a product photo: one bottle, lit in a small studio, in one palette. */
import type { Bottle, Label } from './bottle.ts'
import type { Palette } from './palettes.ts'
import { drawScene } from './scenes.ts'
import { DOWN, glow, linear, path, radial, svg } from './svg.ts'

export function paints(id: string, { wall, liquid, metal, rim }: Palette): string {
  const [top, middle, floor] = wall
  const [light, deep] = liquid
  const [dark, mid, bright] = metal
  return [
    linear(`${id}w`, `${top}, ${middle} .7, ${floor} .77, ${middle} 1`, DOWN),
    linear(`${id}l`, `${light}, ${deep} 1`, DOWN),
    linear(`${id}m`, `${dark}, ${bright} .2, ${mid} .4, ${dark} .72, ${mid} .9`),
    linear(`${id}e`, `${rim}b, #fff5 .1, #fff0 .3, ${rim}5 .92, #fff8 1`),
    radial(`${id}h`, '#fff9, #fff0 1'),
    radial(`${id}g`, `${light}, ${light}0 1`),
    radial(`${id}s`, `${rim}d, ${rim}0 1`),
  ].join('')
}

function paper({ kind, y, width, height }: Label, fill: string): string {
  if (kind === 'print') return ''
  if (kind === 'seal') return `<circle cx="200" cy="${y}" r="${width / 2}" fill="${fill}"/>`
  return path(`M${200 - width / 2} ${y - height / 2}h${width}v${height}h-${width}z`, `fill="${fill}"`)
}

function drawLabel(label: Label, palette: Palette): string {
  const { kind, y, width, emblem } = label
  const ink = kind === 'print' ? palette.print : palette.ink
  const half = Math.round(width * 0.3)
  const lines = `M${200 - half} ${y + 10}h${2 * half}m-${2 * half - 12} 9h${2 * half - 24}`
  const marks = path(`M200 ${y - 24}${emblem}${lines}`, `fill="none" stroke="${ink}" stroke-width="2"`)
  return paper(label, palette.label) + marks
}

const surface = ([y, half]: Bottle['level']): string =>
  `M${200 - half} ${y}q${half}-8 ${2 * half} 0q-${half} 8-${2 * half} 0z`

export function drawBottle(id: string, bottle: Bottle, palette: Palette): string {
  const { body, liquid, level, collar, cap, trim, facets, label, shine } = bottle
  return [
    path(collar + cap, `fill="url(#${id}m)"`),
    path(trim, 'fill="none" stroke="#0006"'),
    `<g fill="${palette.glass}9"><path id="${id}o" d="${body}"/></g>`,
    path(liquid, `fill="url(#${id}l)"`),
    glow(200, 350, level[1], 56, `${id}g`),
    path(facets + surface(level), 'fill="#fff4"'),
    `<use href="#${id}o" fill="url(#${id}e)" stroke="${palette.rim}5"/>`,
    drawLabel(label, palette),
    path(shine, 'fill="#fff7"'),
  ].join('')
}

export function drawPhoto(bottle: Bottle, palette: Palette): string {
  const id = bottle.code + palette.code
  const content = [
    paints(id, palette),
    drawScene(id, bottle, palette),
    `<g id="${id}b" transform="matrix(1.1 0 0 1.1-20-26)">${drawBottle(id, bottle, palette)}</g>`,
  ]
  return svg(400, 500, content.join(''))
}
