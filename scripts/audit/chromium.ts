/**
 * Finds and starts the Chromium that tests and measurements use. Installs Chromium if there is none and this process
 * runs as root on Debian.
 */
import { existsSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'

// The headless shell is preferred to a full browser, because it has no windows, menus or extensions and takes half the
// processor time.
const SHELL = 'chromium-headless-shell'
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const ELSEWHERE = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
] as const

/** Starts a browser with a fresh profile, which is deleted when the browser closes. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await ensureChromium(), args: [...FLAGS] })
}

/**
 * Returns the path of the executable. If there is none, installs Chromium if this process runs as root on Debian;
 * otherwise throws an error that names the package to install.
 */
export async function ensureChromium(): Promise<string> {
  return findChromium() ?? (await installChromium())
}

/**
 * Returns the path of an installed Chromium; `undefined` if there is none. If `CHROMIUM_PATH` is set, returns that
 * path, or throws if it does not exist.
 */
function findChromium(): string | undefined {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen !== undefined && chosen !== '') {
    if (!existsSync(chosen))
      throw new Error(`CHROMIUM_PATH names ${chosen}, which does not exist: correct or unset it`)
    return chosen
  }
  return findProgram(NAMES) ?? ELSEWHERE.find((file) => existsSync(file))
}

async function installChromium(): Promise<string> {
  if (await installPackages(SHELL)) {
    const installed = findChromium()
    if (installed !== undefined) return installed
  }
  throw new Error(
    `This needs Chromium: install the package ${SHELL} (Debian: sudo apt-get install ${SHELL}), ` +
      'or Chromium or Google Chrome, or set CHROMIUM_PATH to the path of the executable.',
  )
}

/** Arguments of apt-get. They make it wait up to ten minutes for another installation to end. */
const INSTALL = ['install', '-y', '-o', 'DPkg::Lock::Timeout=600'] as const

/** Returns the path of the first of these programs that is on the PATH. */
export function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

/**
 * Updates the package lists and installs Debian packages. Returns false if this process does not run as root, if there
 * is no apt-get, or if one of the two steps fails.
 */
export async function installPackages(...packages: readonly string[]): Promise<boolean> {
  if (process.getuid?.() !== 0 || findProgram(['apt-get']) === undefined) return false
  return (await run('apt-get', 'update')) && run('apt-get', ...INSTALL, ...packages)
}

async function run(command: string, ...parameters: readonly string[]): Promise<boolean> {
  const [code] = await once(spawn(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
  return code === 0
}
