/** Takes a screenshot of every screen of the sample, at three widths, light and dark. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import { launchBrowser } from './chromium.ts'
import { SCREENS } from './screens.ts'
import { openTemporarySite } from './temporary-site.ts'

const FOLDER = join(ROOT, '.vitrina/screenshots')
const WIDTHS = { 360: 740, 768: 1024, 1280: 800 } as const
const SCHEMES = ['light', 'dark'] as const

export const command: CommandDefinition<object> = {
  configure: (parser) => parser.addHelpText('after', formatExitCodes('done', 'usage', 'unfinished')),
  parse: () => ({}),
  run: async (_, { print, progress }) => {
    progress.update('Building the sample')
    const site = await openTemporarySite(() => join(ROOT, 'src/builder/sources/sample'))
    try {
      await takeScreenshots(site.origin, progress.update)
    } finally {
      await site.close()
    }
    progress.done('')
    print(`Pictures of ${SCREENS.length} screens: ${FOLDER}`)
    return { exit: EXIT.done }
  },
}

async function takeScreenshots(origin: string, progress: (text: string) => void): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const browser = await launchBrowser()
  try {
    for (const [width, height] of Object.entries(WIDTHS)) {
      for (const colorScheme of SCHEMES) {
        progress(`${width} px, ${colorScheme}`)
        await takeAll(browser, origin, { viewport: { width: Number(width), height }, colorScheme })
      }
    }
  } finally {
    await browser.close()
  }
}

interface Look {
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: (typeof SCHEMES)[number]
}

async function takeAll(browser: Browser, origin: string, look: Look): Promise<void> {
  for (const { name, show } of SCREENS) {
    const context = await browser.newContext(look)
    const page = await context.newPage()
    await show(page, origin)
    const path = join(FOLDER, `${name}-${look.viewport.width}-${look.colorScheme}.png`)
    await page.screenshot({ path })
    await context.close()
  }
}
