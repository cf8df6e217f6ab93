/** Chromium and Firefox, driven by puppeteer-core, which is installed on demand. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { UsageError } from '../../../src/builder/state/usage-error.ts'
import { installTool } from '../../measure/install-tool.ts'
import { ensureChromium, FLAGS } from '../chromium.ts'
import { findProgram, installPackages } from '../programs.ts'
import type { Engine, Tab } from './engine.ts'
import { WINDOW } from './engine.ts'

const TOOL = { name: 'puppeteer-core', version: '25.16.0', folder: join(ROOT, '.vitrina/engines') }
const ENTRY = 'lib/puppeteer/puppeteer-core.js'
const FIREFOX = ['firefox-esr', 'firefox'] as const
/** In milliseconds. */
const PATIENCE = 120_000

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
  return openEngine('Chromium', { executablePath: await ensureChromium(), args: [...FLAGS] }, progress)
}

export async function openFirefox(progress: Progress): Promise<Engine> {
  return openEngine('Firefox', { browser: 'firefox', executablePath: await ensureFirefox() }, progress)
}

async function openEngine(name: string, options: object, progress: Progress): Promise<Engine> {
  const folder = await installTool(TOOL, progress)
  const { default: puppeteer }: { default: Puppeteer } = await import(pathToFileURL(join(folder, ENTRY)).href)
  const browser = await puppeteer.launch({ ...options, headless: true, protocolTimeout: PATIENCE })
  return {
    name,
    openTab: async () => {
      const context = await browser.createBrowserContext()
      const page = await context.newPage()
      page.setDefaultTimeout(PATIENCE)
      await page.setViewport(WINDOW)
      return createTab(page, context)
    },
    close: () => browser.close(),
  }
}

function createTab(page: Page, context: Context): Tab {
  return {
    open: async (url) => void (await page.goto(url)),
    run: (expression) => page.evaluate(expression),
    tap: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    reload: async () => void (await page.reload()),
    // A page that was kept does not load, and `goBack` waits for that.
    back: async () => void (await page.evaluate('void setTimeout(() => history.back())')),
    close: () => context.close(),
  }
}

async function ensureFirefox(): Promise<string> {
  const program =
    findProgram(FIREFOX) ?? ((await installPackages('firefox-esr')) ? findProgram(FIREFOX) : undefined)
  if (program !== undefined) return program
  throw new UsageError('This needs Firefox: install the package firefox-esr (Debian), then run again.')
}
