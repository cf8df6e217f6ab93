/** Small helpers that write SVG elements as text. */
const short = (value: number): string => String(Math.round(value * 100) / 100).replace(/^0\./, '.')

function stopMark(stop: string): string {
  const [color, offset] = stop.split(' ')
  return `<stop${offset ? ` offset="${offset}"` : ''} stop-color="${color}"/>`
}

/** Stops are written as in CSS: `#fff, #abc .4, #000 1`. */
const stopMarks = (stops: string): string => stops.split(', ').map(stopMark).join('')

/** A gradient from left to right, or along the given direction attributes. */
export const linear = (id: string, stops: string, direction = ''): string =>
  `<linearGradient id="${id}"${direction}>${stopMarks(stops)}</linearGradient>`

export const radial = (id: string, stops: string): string =>
  `<radialGradient id="${id}">${stopMarks(stops)}</radialGradient>`

/** Direction of a gradient that runs from top to bottom. */
export const DOWN = ' x2="0" y2="1"'

export const path = (d: string, attributes: string): string => `<path d="${d}" ${attributes}/>`

export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string): string =>
  `<ellipse cx="${short(x)}" cy="${short(y)}" rx="${short(rx)}" ry="${short(ry)}" fill="${fill}"/>`

/** A soft spot: an area filled with a radial gradient that fades out at its edges. */
export const glow = (x: number, y: number, rx: number, ry: number, id: string): string =>
  path(
    `M${short(x - rx)} ${short(y - ry)}h${short(2 * rx)}v${short(2 * ry)}h-${short(2 * rx)}z`,
    `fill="url(#${id})"`,
  )

export const svg = (width: number, height: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${content}</svg>\n`
