/** Chromium and Firefox, driven by puppeteer-core, which is installed on demand. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import { installTool } from '../../measure/install-tool.ts'
import { ensureChromium, FLAGS } from '../chromium.ts'
import { findProgram, installPackages } from '../programs.ts'
import type { Engine, EngineKey, Scheme, Tab } from './engine.ts'
import { WINDOW } from './engine.ts'
import { removeNewerParts, removeNewerRules } from './old-phone.ts'

const TOOL = { name: 'puppeteer-core', version: '25.16.0', folder: join(ROOT, '.vitrina/engines') }
const ENTRY = 'lib/puppeteer/puppeteer-core.js'
/** Values of the colour schemes in the settings of Chromium and Firefox. */
const SCHEMES: Readonly<Record<Scheme, number>> = { dark: 0, light: 1 }
const FIREFOX = ['firefox-esr', 'firefox'] as const
/** Max time of a call to the browser, in milliseconds. */
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
  evaluateOnNewDocument(script: () => void): Promise<unknown>
  $(selector: string): Promise<Handle | null>
  reload(): Promise<unknown>
  setViewport(size: object): Promise<void>
  setDefaultTimeout(time: number): void
  readonly mouse: { click(x: number, y: number): Promise<void> }
  readonly keyboard: { type(text: string): Promise<void>; press(key: EngineKey): Promise<void> }
}
interface Handle {
  evaluate(read: (element: HTMLElement) => void): Promise<unknown>
}

type Progress = (text: string) => void

export async function openChromium(progress: Progress, scheme: Scheme): Promise<Engine> {
  return openEngine('Chromium', { launch: await launchChromium(scheme), scripts: [] }, progress)
}

export async function openOldChromium(progress: Progress, scheme: Scheme): Promise<Engine> {
  const scripts = [removeNewerParts, removeNewerRules]
  return openEngine('Chromium as an old phone', { launch: await launchChromium(scheme), scripts }, progress)
}

export async function openFirefox(progress: Progress, scheme: Scheme): Promise<Engine> {
  const extraPrefsFirefox = { 'layout.css.prefers-color-scheme.content-override': SCHEMES[scheme] }
  const launch = { browser: 'firefox', executablePath: await ensureFirefox(), extraPrefsFirefox }
  return openEngine('Firefox', { launch, scripts: [] }, progress)
}

async function launchChromium(scheme: Scheme): Promise<object> {
  const args = [...FLAGS, `--blink-settings=preferredColorScheme=${SCHEMES[scheme]}`]
  return { executablePath: await ensureChromium(), args }
}

interface EngineOptions {
  readonly launch: object
  /** Scripts that run in each page before the page's own scripts. */
  readonly scripts: readonly (() => void)[]
}

async function openEngine(name: string, options: EngineOptions, progress: Progress): Promise<Engine> {
  const folder = await installTool(TOOL, progress)
  const { default: puppeteer }: { default: Puppeteer } = await import(pathToFileURL(join(folder, ENTRY)).href)
  const browser = await puppeteer.launch({ ...options.launch, headless: true, protocolTimeout: PATIENCE })
  return {
    name,
    openTab: async () => {
      const context = await browser.createBrowserContext()
      const page = await context.newPage()
      page.setDefaultTimeout(PATIENCE)
      await page.setViewport(WINDOW)
      for (const script of options.scripts) await page.evaluateOnNewDocument(script)
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
    press: (key) => page.keyboard.press(key),
    activate: async (role, name, isRead = false) => {
      const found = await page.$(`::-p-aria([name="${name}"][role="${role}"])`)
      if (!isRead) await found?.evaluate((element) => element.click())
      return found !== null
    },
    reload: async () => void (await page.reload()),
    // `goBack` would wait for a load, which does not happen if the browser kept the page in memory.
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
