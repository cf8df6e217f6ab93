/** Opens an address in the default browser. */
import { spawn } from 'node:child_process'

/** Programs that open addresses. Other systems use `xdg-open`. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Never throws, and does not wait for the browser. Warns if no browser could be opened. */
export function openInBrowser(address: string, warn: (line: string) => void): void {
  const [program = '', ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true })
  const tell = (): void => warn(`No browser could be opened: open ${address} yourself.`)
  child.on('error', tell)
  child.on('exit', (code) => {
    if (code !== 0) tell()
  })
  child.unref()
}
