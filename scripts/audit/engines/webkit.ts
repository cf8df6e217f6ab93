/** The WebKit that Debian ships, driven by plain WebDriver calls. Source: https://www.w3.org/TR/webdriver2/ */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '../../measure/free-port.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import { findProgram, installPackages } from '../chromium.ts'
import type { Engine, Tab } from './tab.ts'
import { CALL_TIME, WINDOW } from './tab.ts'

const PACKAGES = ['webkit2gtk-driver', 'xvfb', 'xauth', 'dbus'] as const
const PROGRAMS = ['WebKitWebDriver', 'xvfb-run', 'dbus-run-session'] as const
const BROWSER = '/usr/lib/*/webkit2gtk-4.*/MiniBrowser'
/** Pause between two looks at the driver while it starts, in milliseconds. */
const STEP = 100

type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

export async function openWebKit(): Promise<Engine> {
  const browser = await ensureWebKit()
  const port = await findFreePort()
  const driver = startDriver(port)
  const call = createCall(`http://127.0.0.1:${port}`)
  await waitForDriver(call, driver)
  return {
    openTab: () => openSession(call, browser),
    close: async () => {
      const ended = once(driver, 'exit')
      process.kill(-(driver.pid ?? 0), 'SIGTERM')
      await ended
    },
  }
}

/** Starts the driver on a virtual screen. */
function startDriver(port: number): ChildProcess {
  const command = ['-a', 'dbus-run-session', '--', 'WebKitWebDriver', `--port=${port}`]
  // The sandbox is off: it needs rights that a container lacks, and the opened pages are the project's own.
  const env = { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }
  return spawn('xvfb-run', command, { detached: true, stdio: 'ignore', env })
}

async function waitForDriver(call: Call, driver: ChildProcess): Promise<void> {
  for (let waited = 0; waited < CALL_TIME && driver.exitCode === null; waited += STEP) {
    if (await call('GET', '/status').catch(() => null)) return
    await wait(STEP)
  }
  throw new Error('WebKitWebDriver ended, or did not answer within two minutes')
}

/** The value of an expression, or the error that it threw. */
type RunResult = { readonly value?: unknown } | { readonly failed: string }

async function openSession(call: Call, browser: string): Promise<Tab> {
  const options = { binary: browser, args: ['--automation', `--geometry=${WINDOW.width}x${WINDOW.height}`] }
  const timeouts = { script: CALL_TIME, pageLoad: CALL_TIME }
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
    reload: async () => void (await post('refresh')),
    back: async () => void (await post('back')),
    close: async () => void (await call('DELETE', path)),
  }
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
    const response = await fetch(origin + path, { method, ...given, signal: AbortSignal.timeout(CALL_TIME) })
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
