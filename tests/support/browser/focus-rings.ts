/** Measures the contrast of each focus ring of a page with the colours beside it. */
import type { Locator, Page } from 'playwright-core'

export interface FocusRing {
  /** The element, shortened. */
  readonly element: string
  /**
   * Contrast at the worst side of the element, with the colour inside or outside of the ring, whichever is higher.
   * 1 without a ring, or if only photos are beside it.
   */
  readonly contrast: number
}

/** Red, green and blue, each from 0 to 255. */
type Colour = readonly [number, number, number]

/** A photo may have any colour. Outside of the window there is no ring. */
type Beside = Colour | 'photo' | 'outside'

interface ReadRing {
  readonly element: string
  readonly ring: Colour
  /** The colours inside and outside of the ring, on each side that is in the window. */
  readonly sides: readonly (readonly Beside[])[]
}

const SIDES = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const

/** Measures the rings of all elements that the keyboard reaches. */
export async function measureFocusRings(page: Page): Promise<readonly FocusRing[]> {
  // Makes later focus visible, like that of a keyboard.
  await page.keyboard.press('Tab')
  // One expression, since a call for each of dozens of controls takes seconds.
  const rings: readonly ReadRing[] = await page.evaluate(`{
    const SIDES = ${JSON.stringify(SIDES)}
    ${[paint, listLayers, findShadow, findColour, readRing].join('\n')}
    [...document.querySelectorAll('a[href], button, input, [tabindex="0"]')]
      .filter((control) => control.checkVisibility())
      .map(readRing)
  }`)
  return rings.map(({ element, ring, sides }) => ({
    element,
    contrast: sides.length === 0 ? 1 : Math.min(...sides.map((beside) => findEdge(ring, beside))),
  }))
}

/** Whether the page looks different when the control has the focus of a keyboard. */
export async function isFocusSeen(page: Page, control: Locator): Promise<boolean> {
  await page.keyboard.press('Tab')
  await control.focus()
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const [without, within] = [await page.screenshot(), await control.focus().then(() => page.screenshot())]
  return !without.equals(within)
}

function findEdge(ring: Colour, beside: readonly Beside[]): number {
  const known = beside.filter((colour) => typeof colour !== 'string')
  return Math.max(1, ...known.map((colour) => findContrast(ring, colour)))
}

/** Source: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function findContrast(a: Colour, b: Colour): number {
  const [darker = 0, lighter = 0] = [findLuminance(a), findLuminance(b)].toSorted((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

function findLuminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Runs in the page. */
function readRing(control: HTMLElement): ReadRing {
  control.focus()
  control.scrollIntoView({ block: 'center', inline: 'center' })
  const { outlineColor, outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(control)
  const width = outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
  const offset = Number.parseFloat(outlineOffset)
  const distances = [offset > 0 ? offset / 2 : offset - 1, offset + width + 1]
  const sides = SIDES.map((side) => distances.map((distance) => findColour(control, side, distance)))
  return {
    element: control.outerHTML.slice(0, 80),
    ring: paint([outlineColor]),
    sides: width === 0 ? [] : sides.filter((colours) => colours.every((colour) => colour !== 'outside')),
  }
}

/** Runs in the page. The colour at this distance from the middle of a side. */
function findColour(control: Element, [across, down]: readonly [number, number], distance: number): Beside {
  const { left, top, width, height } = control.getBoundingClientRect()
  const x = left + ((1 + across) * width) / 2 + across * distance
  const y = top + ((1 + down) * height) / 2 + down * distance
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return 'outside'
  const layers = [...listLayers(x, y), ...findShadow(control, distance)]
  // A shadow covers what is below it.
  const seen = layers.slice(layers.lastIndexOf('opaque') + 1)
  return seen.includes('photo') ? 'photo' : paint(seen)
}

/** Runs in the page. The backgrounds at a point, the lowest first. A photo may have any colour. */
function listLayers(x: number, y: number): readonly string[] {
  const layers = document.elementsFromPoint(x, y).map((element) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element)
    return element instanceof HTMLImageElement || backgroundImage !== 'none' ? 'photo' : backgroundColor
  })
  const cover = layers.findIndex((layer) => layer === 'photo' || layer.startsWith('rgb('))
  return layers.slice(0, cover + 1).toReversed()
}

/** Runs in the page. The colour of the control's shadow where it lies as a band at this distance. */
function findShadow(control: Element, distance: number): readonly string[] {
  const { boxShadow } = getComputedStyle(control)
  const [, colour, spread = '0'] = /^(rgb\([^)]*\)) 0px 0px 0px (\d+(?:\.\d+)?)px$/.exec(boxShadow) ?? []
  return colour !== undefined && distance > 0 && distance < Number(spread) ? ['opaque', colour] : []
}

/** Runs in the page. Paints colours over each other. */
function paint(colours: readonly string[]): Colour {
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (context === null) throw new Error('the browser has no canvas')
  for (const colour of colours) {
    context.fillStyle = colour
    context.fillRect(0, 0, 1, 1)
  }
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}
