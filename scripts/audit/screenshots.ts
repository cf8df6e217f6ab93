/**
 * Takes screenshots of the sample's screens at several widths, in light and dark colours, in forced colours and zoomed.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import { launchBrowser } from './chromium.ts'
import type { ScreenLook, LookGroup } from './looks.ts'
import { LOOK_GROUPS } from './looks.ts'
import type { Screen } from './screens.ts'
import { SCREENS } from './screens.ts'
import { openTemporarySite } from './temporary-site.ts'

const FOLDER = join(ROOT, '.vitrina/screenshots')

export const command: CommandDefinition<object> = {
  exits: ['done', 'usage', 'unfinished'],
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
    print(formatTaken(LOOK_GROUPS))
    return { exit: EXIT.done }
  },
}

/** Lists screens and looks. A picture's file name consists of the name of its screen and the name of its look. */
export function formatTaken(groups: readonly LookGroup[]): string {
  const lines = groups.map(
    (group) =>
      `${chooseScreens(group)
        .map(({ name }) => name)
        .join(', ')}\n  ${group.looks.map(({ name }) => name).join(', ')}`,
  )
  const count = groups.reduce((sum, group) => sum + chooseScreens(group).length * group.looks.length, 0)
  return [...lines, `${count} pictures named <screen>-<look>.png are in ${FOLDER}`].join('\n')
}

function chooseScreens({ screens }: LookGroup): readonly Screen[] {
  return SCREENS.filter(({ name }) => screens === null || screens.includes(name))
}

async function takeScreenshots(origin: string, progress: (text: string) => void): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const browser = await launchBrowser()
  try {
    for (const group of LOOK_GROUPS)
      for (const look of group.looks) {
        progress(look.name)
        for (const screen of chooseScreens(group)) await takeOne(browser, origin, { screen, look })
      }
  } finally {
    await browser.close()
  }
}

async function takeOne(
  browser: Browser,
  origin: string,
  { screen, look }: { readonly screen: Screen; readonly look: ScreenLook },
): Promise<void> {
  const context = await browser.newContext(look.options)
  const page = await context.newPage()
  await screen.show(page, origin)
  await page.waitForFunction(arePhotosSettled)
  await page.screenshot({ path: join(FOLDER, `${screen.name}-${look.name}.png`) })
  await context.close()
}

/** Runs in the page. Returns whether every photo in the window has loaded or has failed to load. */
function arePhotosSettled(): boolean {
  return [...document.images].every((photo) => {
    const { top, bottom } = photo.getBoundingClientRect()
    return photo.complete || top >= innerHeight || bottom <= 0
  })
}
