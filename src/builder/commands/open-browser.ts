/** Opens an address in the browser of this machine, if it has one. */
import { spawn } from 'node:child_process'

/** What opens addresses on a system; any other has `xdg-open`. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Never throws and does not wait. `warn` gets one line when it does not work. */
export function openInBrowser(address: string, warn: (line: string) => void): void {
  const [program = '', ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true })
  const tell = (): void => warn(`No browser could be opened here: open ${address} yourself.`)
  child.on('error', tell)
  child.on('exit', (code) => {
    if (code !== 0) tell()
  })
  child.unref()
}
