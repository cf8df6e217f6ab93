/** `npm run screenshots`: every screen of the sample at three widths, light and dark, as pictures to look at. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser } from './chromium.ts'
import { createProgress } from '../../src/builder/commands/progress.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import { SCREENS } from './screens.ts'
import { openTemporarySite } from './temporary-site.ts'

const FOLDER = join(ROOT, '.vitrina/screenshots')
const WIDTHS = { 360: 740, 768: 1024, 1280: 800 } as const
const SCHEMES = ['light', 'dark'] as const

const progress = createProgress('screenshots')
try {
  progress.update('Building the sample')
  const site = await openTemporarySite(() => join(ROOT, 'src/builder/sources/sample'))
  const browser = await launchBrowser()
  try {
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    for (const [width, height] of Object.entries(WIDTHS)) {
      for (const colorScheme of SCHEMES) {
        const viewport = { width: Number(width), height }
        for (const { name, show } of SCREENS) {
          progress.update(`${name}, ${width} px, ${colorScheme}`)
          const context = await browser.newContext({ viewport, colorScheme })
          const page = await context.newPage()
          await show(page, site.origin)
          await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`) })
          await context.close()
        }
      }
    }
    progress.done('')
    console.log(`Pictures of ${SCREENS.length} screens: ${FOLDER}`)
  } finally {
    await browser.close()
    await site.close()
  }
} catch (error) {
  progress.fail('')
  console.error(`screenshots: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
