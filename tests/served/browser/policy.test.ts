/** The content security policy in a real browser: the pages work, and injected code is blocked. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectSeen, formatAddress, readSeen, tapFilter } from '../../support/browser/catalogue-screen.ts'
import { EMPTY, THIRTY } from '../../support/run/sample-catalogues.ts'
import type { VisitOptions } from '../../support/browser/visit.ts'
import { useVisits, waitForReact } from '../../support/browser/visit.ts'

const visit = useVisits()

const watch: VisitOptions = { scripts: [keepViolations], serviceWorkers: 'allow' }

for (const path of ['/', '/no-existe']) {
  test(`the policy blocks nothing of ${path}`, async () => {
    const { page, messages } = await visit(path, watch)
    await page.fill('input', 'bleu')
    await page.keyboard.press('Enter')
    await page.waitForLoadState('networkidle')
    expect(await readViolations(page)).toEqual([])
    // The browser logs a 404 itself.
    expect(messages.filter((text) => !text.includes('status of 404'))).toEqual([])
  })
}

test('the policy blocks nothing of a catalogue during filtering, searching and hydration', async () => {
  const { page, messages } = await visit(formatAddress(THIRTY), watch)
  await tapFilter(page, 'disponible')
  await waitForReact(page)
  await tapFilter(page, 'no-disponible')
  await page.fill('input', 'eau')
  await page.keyboard.press('Enter')
  expect(await readSeen(page)).toEqual(expectSeen(THIRTY, { filter: 'no-disponible', query: 'eau' }))
  await page.fill('input', '')
  await tapFilter(page, 'todos')
  await page.mouse.wheel(0, 10_000)
  await page.waitForLoadState('networkidle')
  expect(await page.locator('script[type="application/ld+json"]').count()).toBe(1)
  expect(await page.evaluate(readManifestColour)).toMatch(/^#/)
  expect(await readViolations(page)).toEqual([])
  expect(messages).toEqual([])
})

const SLIPPED = [
  ['script-src-elem', '<script>document.documentElement.dataset.slipped = ""</script>'],
  ['script-src-attr', '<img src="/none" alt="" onerror="document.documentElement.dataset.slipped = \'\'">'],
  [
    'script-src-elem',
    '<script src="data:text/javascript,document.documentElement.dataset.slipped=1"></script>',
  ],
  ['style-src-elem', '<style>html { --slipped: yes }</style>'],
  ['style-src-attr', '<p style="color: red">slipped</p>'],
  ['base-uri', '<base href="https://elsewhere.example/">'],
  ['frame-src', '<iframe src="https://elsewhere.example/"></iframe>'],
] as const

test('the policy blocks injected markup, and a script added later', async () => {
  const injected = SLIPPED.map(([, markup]) => markup).join('')
  const prepare = (page: Page): Promise<unknown> =>
    page.route('**/catalogo/**', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace('<main', `${injected}<main`)
      await route.fulfill({ response, body })
    })
  const { page } = await visit(formatAddress(EMPTY), { ...watch, prepare })
  const directives: string[] = SLIPPED.map(([directive]) => directive)
  const listViolations = async (): Promise<readonly string[]> => (await readViolations(page)).toSorted()
  await expect.poll(listViolations).toEqual(directives.toSorted())
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.documentElement.dataset.slipped = ""'
    document.body.append(script)
  })
  await expect.poll(listViolations).toEqual([...directives, 'script-src-elem'].toSorted())
  expect(await page.evaluate(wasSlippedIn)).toBe(false)
})

async function readViolations(page: Page): Promise<readonly string[]> {
  const text = await page.getAttribute('html', 'data-refused')
  return text === null ? [] : text.split(' ')
}

/** Runs in the page. Records the violated directives in the root element. */
function keepViolations(): void {
  const refused: string[] = []
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    refused.push(effectiveDirective)
    document.documentElement.dataset['refused'] = refused.join(' ')
  })
}

/** Runs in the page. */
function wasSlippedIn(): boolean {
  const { dataset } = document.documentElement
  return (
    'slipped' in dataset || getComputedStyle(document.documentElement).getPropertyValue('--slipped') !== ''
  )
}

/** Runs in the page. Reads the theme colour from the manifest, like the browser does for its own frame. */
async function readManifestColour(): Promise<string> {
  const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
  const manifest: { theme_color: string } = await (await fetch(link?.href ?? '')).json()
  return manifest.theme_color
}
