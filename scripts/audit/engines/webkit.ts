/** The WebKit that Debian ships, driven by plain WebDriver calls. Source: https://www.w3.org/TR/webdriver2/ */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '../../../src/builder/commands/local/local-edge.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import { findProgram, installPackages } from '../programs.ts'
import type { Engine, EngineKey, Scheme, Tab } from './engine.ts'
import { WINDOW } from './engine.ts'

const PACKAGES = ['webkit2gtk-driver', 'xvfb', 'xauth', 'dbus'] as const
const PROGRAMS = ['WebKitWebDriver', 'xvfb-run', 'dbus-run-session'] as const
const BROWSER = '/usr/lib/*/webkit2gtk-4.*/MiniBrowser'
/** Max time of a call to the driver, and max sum of the pauses while the driver starts, in milliseconds. */
const PATIENCE = 120_000
const STEP = 100

/** WebDriver's code points for these keys. Source: https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEYS: Readonly<Record<EngineKey, string>> = { Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C' }
/** Selects the elements whose accessible role and name are compared with the wanted ones. */
const EXPOSED = 'a, button, input, select, summary, h1, h2, dialog, [role]'
/** Key of an element's id in WebDriver's responses. Source: https://www.w3.org/TR/webdriver2/#elements */
const REFERENCE = 'element-6066-11e4-a52e-4f735466cecf'

type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

export async function openWebKit(_progress: unknown, scheme: Scheme): Promise<Engine> {
  const browser = await ensureWebKit()
  const port = await findFreePort()
  const driver = startDriver(port, scheme)
  const call = createCall(`http://127.0.0.1:${port}`)
  await waitForDriver(call, driver)
  return {
    name: 'WebKit',
    openTab: () => openSession(call, browser),
    close: async () => {
      const ended = once(driver, 'exit')
      process.kill(-(driver.pid ?? 0), 'SIGTERM')
      await ended
    },
  }
}

/** Starts the driver on a virtual screen. */
function startDriver(port: number, scheme: Scheme): ChildProcess {
  const command = ['-a', 'dbus-run-session', '--', 'WebKitWebDriver', `--port=${port}`]
  // The sandbox is off: it needs rights that a container lacks, and the opened pages are the project's own.
  const own = { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', GTK_THEME: `Adwaita:${scheme}` }
  const env = { ...process.env, ...own }
  return spawn('xvfb-run', command, { detached: true, stdio: 'ignore', env })
}

async function waitForDriver(call: Call, driver: ChildProcess): Promise<void> {
  for (let waited = 0; waited < PATIENCE && driver.exitCode === null; waited += STEP) {
    if (await call('GET', '/status').catch(() => null)) return
    await wait(STEP)
  }
  throw new Error('WebKitWebDriver ended, or did not answer within two minutes')
}

/** The value of an expression, or the error that it threw. */
type RunResult = { readonly value?: unknown } | { readonly failed: string }

async function openSession(call: Call, browser: string): Promise<Tab> {
  const options = { binary: browser, args: ['--automation', `--geometry=${WINDOW.width}x${WINDOW.height}`] }
  const timeouts = { script: PATIENCE, pageLoad: PATIENCE }
  const alwaysMatch = { 'webkitgtk:browserOptions': options, timeouts }
  const opened = (await call('POST', '/session', { capabilities: { alwaysMatch } })) as { sessionId: string }
  const path = `/session/${opened.sessionId}`
  const post = async (command: string, body: object = {}): Promise<unknown> =>
    call('POST', `${path}/${command}`, body)
  const act = (action: object): Promise<unknown> => post('actions', { actions: [action] })
  await post('window/rect', WINDOW)
  return {
    open: async (url) => void (await post('url', { url })),
    run: async (expression) => {
      const done = '(value) => done({ value }), (error) => done({ failed: String(error) })'
      const script = `const [done] = arguments; (async () => (${expression}))().then(${done})`
      const result = (await post('execute/async', { script, args: [] })) as RunResult
      if ('failed' in result) throw new Error(result.failed)
      return result.value
    },
    tap: async (x, y) => void (await act(createTap(Math.round(x), Math.round(y)))),
    type: async (text) =>
      void (await act({ type: 'key', id: 'keys', actions: [...text].flatMap(createKey) })),
    press: async (key) => void (await act({ type: 'key', id: 'keys', actions: createKey(KEYS[key]) })),
    activate: async (role, name, isRead = false) => {
      const id = await findExposed((command) => call('GET', `${path}/${command}`), post, { role, name })
      const reference = { [REFERENCE]: id }
      if (id !== null && !isRead)
        await post('execute/sync', { script: 'arguments[0].click()', args: [reference] })
      return id !== null
    },
    reload: async () => void (await post('refresh')),
    back: async () => void (await post('back')),
    close: async () => void (await call('DELETE', path)),
  }
}

/** Returns the id of the first element in `EXPOSED` with this accessible role and name; `null` if there is none. */
async function findExposed(
  get: (command: string) => Promise<unknown>,
  post: (command: string, body: object) => Promise<unknown>,
  wanted: { readonly role: string; readonly name: string },
): Promise<string | null> {
  const found = await post('elements', { using: 'css selector', value: EXPOSED })
  for (const { [REFERENCE]: id = '' } of found as readonly Readonly<Record<string, string>>[]) {
    // WebKit answers with an error for an element that is hidden from assistive technology. Such an element is skipped.
    const name = await get(`element/${id}/computedlabel`).catch(() => null)
    if (name === wanted.name && (await get(`element/${id}/computedrole`)) === wanted.role) return id
  }
  return null
}

function createTap(x: number, y: number): object {
  const press = { type: 'pointerDown', button: 0 }
  const actions = [{ type: 'pointerMove', x, y }, press, { type: 'pointerUp', button: 0 }]
  return { type: 'pointer', id: 'pointer', parameters: { pointerType: 'mouse' }, actions }
}

function createKey(value: string): readonly object[] {
  return [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]
}

function createCall(origin: string): Call {
  return async (method, path, body) => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(origin + path, { method, ...given, signal: AbortSignal.timeout(PATIENCE) })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`WebKit refused ${path.split('/').pop()}: ${JSON.stringify(value)}`)
    return value
  }
}

async function ensureWebKit(): Promise<string> {
  const browser = findWebKit() ?? ((await installPackages(...PACKAGES)) ? findWebKit() : undefined)
  if (browser !== undefined) return browser
  throw new UsageError(
    `This needs WebKit: install the packages ${PACKAGES.join(' ')} (Debian), then run again.`,
  )
}

/** Returns the path of the browser; `undefined` if the browser or one of `PROGRAMS` is not installed. */
function findWebKit(): string | undefined {
  const isWhole = PROGRAMS.every((name) => findProgram([name]) !== undefined)
  return isWhole ? globSync(BROWSER)[0] : undefined
}
