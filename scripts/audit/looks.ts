/** The looks in which screens are photographed: widths, colour schemes, forced colours, zoom. */
import type { BrowserContextOptions } from 'playwright-core'

export interface ScreenLook {
  /** Last part of the file names of screenshots with this look. */
  readonly name: string
  readonly options: BrowserContextOptions
}

export interface LookGroup {
  /** Names of screens; `null` for all. */
  readonly screens: readonly string[] | null
  readonly looks: readonly ScreenLook[]
}

type Scheme = 'light' | 'dark'

/** Height of a typical window by width, in pixels. */
const HEIGHTS = {
  320: 640,
  360: 740,
  390: 844,
  640: 960,
  660: 960,
  768: 1024,
  1280: 800,
  1920: 1080,
} as const
const MAIN = ['home', 'found', 'catalogue', 'scrolled']

/**
 * All screens at the widths of a phone and a desktop; main screens also at other widths, in forced colours and zoomed.
 */
export const LOOK_GROUPS: readonly LookGroup[] = [
  { screens: null, looks: createLooks(360, 1280) },
  { screens: MAIN, looks: createLooks(320, 390, 640, 660, 768, 1920) },
  { screens: MAIN, looks: [createForcedLook('light'), createForcedLook('dark')] },
  { screens: MAIN, looks: [createZoomedLook(200), createZoomedLook(400)] },
]

type Width = keyof typeof HEIGHTS

function createLooks(...widths: readonly Width[]): readonly ScreenLook[] {
  return widths.flatMap((width) => [createLook(width, 'light'), createLook(width, 'dark')])
}

function createLook(width: Width, colorScheme: Scheme): ScreenLook {
  return {
    name: `${width}-${colorScheme}`,
    options: { viewport: { width, height: HEIGHTS[width] }, colorScheme },
  }
}

function createForcedLook(colorScheme: Scheme): ScreenLook {
  const { options } = createLook(360, colorScheme)
  return { name: `forced-${colorScheme}`, options: { ...options, forcedColors: 'active' } }
}

/** Returns the look of a zoomed window of 1280 x 800 pixels: its viewport is smaller by the factor of the zoom. */
function createZoomedLook(percent: number): ScreenLook {
  const factor = percent / 100
  const viewport = { width: 1280 / factor, height: HEIGHTS[1280] / factor }
  return { name: `zoom-${percent}`, options: { viewport, deviceScaleFactor: factor, colorScheme: 'light' } }
}
