/** Looks for faults of accessibility in a page. */
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface AxeOptions {
  /** Names of rules; without them, all run. */
  readonly runOnly?: readonly string[]
}

interface Axe {
  run(
    options: AxeOptions & { readonly resultTypes: readonly string[]; readonly selectors: boolean },
  ): Promise<{ violations: readonly { id: string; nodes: readonly { html: string }[] }[] }>
}

/** Returns a line for each rule that is broken. The page's policy must be bypassed, since it blocks the checker. */
async function findViolations(page: Page, options: AxeOptions = {}): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    // The contrast of unpainted cards cannot be measured.
    await page.addStyleTag({ content: '.card { content-visibility: visible !important }' })
    await page.addScriptTag({ path: AXE })
  }
  return page.evaluate(
    async (chosen) => {
      const { axe } = window as unknown as { axe: Axe }
      const { violations } = await axe.run(chosen)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    },
    { ...options, resultTypes: ['violations'], selectors: false },
  )
}

/** Checks the page in light, and its colours in dark too, in which the schemes differ only. */
export async function findViolationsInBothSchemes(page: Page): Promise<readonly string[]> {
  const light = await findViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await findViolations(page, { runOnly: ['color-contrast'] })
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}
