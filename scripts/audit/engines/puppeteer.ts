/** Chromium and Firefox, driven by puppeteer-core, which is installed on demand. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import { installTool } from '../../measure/install-tool.ts'
import { ensureChromium, FLAGS, findProgram, installPackages } from '../chromium.ts'
import type { Engine, Tab } from './tab.ts'
import { CALL_TIME, WINDOW } from './tab.ts'

const TOOL = { name: 'puppeteer-core', version: '25.16.0', folder: join(ROOT, '.vitrina/engines') }
const ENTRY = 'lib/puppeteer/puppeteer-core.js'
const FIREFOX = ['firefox-esr', 'firefox'] as const

/** The parts of puppeteer that are used here. Source: https://pptr.dev/api */
interface Puppeteer {
  launch(options: object): Promise<Browser>
}
interface Browser {
  createBrowserContext(): Promise<Context>
  close(): Promise<void>
}
interface Context {
  newPage(): Promise<Page>
  close(): Promise<void>
}
interface Page {
  goto(url: string): Promise<unknown>
  evaluate(expression: string): Promise<unknown>
  reload(): Promise<unknown>
  setViewport(size: object): Promise<void>
  setDefaultTimeout(time: number): void
  readonly mouse: { click(x: number, y: number): Promise<void> }
  readonly keyboard: { type(text: string): Promise<void> }
}

type Progress = (text: string) => void

export async function openChromium(progress: Progress): Promise<Engine> {
  return openEngine({ executablePath: await ensureChromium(), args: FLAGS }, progress)
}

export async function openFirefox(progress: Progress): Promise<Engine> {
  const program =
    findProgram(FIREFOX) ?? ((await installPackages('firefox-esr')) ? findProgram(FIREFOX) : undefined)
  if (program === undefined)
    throw new UsageError('This needs Firefox: install the package firefox-esr (Debian), then run again.')
  return openEngine({ browser: 'firefox', executablePath: program }, progress)
}

async function openEngine(launch: object, progress: Progress): Promise<Engine> {
  const folder = await installTool(TOOL, progress)
  const { default: puppeteer }: { default: Puppeteer } = await import(pathToFileURL(join(folder, ENTRY)).href)
  const options = { ...launch, headless: true, defaultViewport: null, protocolTimeout: CALL_TIME }
  const browser = await puppeteer.launch(options)
  return { openTab: () => openPage(browser), close: () => browser.close() }
}

async function openPage(browser: Browser): Promise<Tab> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(CALL_TIME)
  // Firefox 140 sets the size, but rejects because it does not know a command about the orientation of the screen.
  await page.setViewport(WINDOW).catch((error: unknown) => {
    if (!String(error).includes('unknown command')) throw error
  })
  return {
    open: async (url) => void (await page.goto(url)),
    run: (expression) => page.evaluate(expression),
    tap: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    reload: async () => void (await page.reload()),
    // `goBack` would wait for a load, which does not happen if the browser kept the page in memory.
    back: async () => void (await page.evaluate('void setTimeout(() => history.back())')),
    close: () => context.close(),
  }
}
