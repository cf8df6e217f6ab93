import type { Page } from 'playwright-core'

const STYLE = 'https://translation.test/style.css'

/**
 * Adds a style sheet of another origin to the page, as a browser's translation does, and waits until it is loaded. The
 * page's scripts may not read its rules. The page must have been opened with `bypassCSP`.
 */
export async function addForeignStyle(page: Page): Promise<void> {
  await page.route(STYLE, (route) => route.fulfill({ contentType: 'text/css', body: '.x { color: red }' }))
  await page.evaluate(
    (href) =>
      new Promise((resolve) => {
        const link = document.createElement('link')
        Object.assign(link, { rel: 'stylesheet', href, onload: resolve })
        document.head.append(link)
      }),
    STYLE,
  )
}
