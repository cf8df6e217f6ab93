/** Identifies the present run of the operating system: after another boot, unsynced writes may be lost. */
import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

const LINUX_BOOT_ID = '/proc/sys/kernel/random/boot_id'

export function readBootId(): string {
  try {
    return readFileSync(LINUX_BOOT_ID, 'utf8').trim()
  } catch {
    // Elsewhere the time of the boot, in minutes. A wrong difference only costs a needless comparison.
    return `booted ${Math.round((Date.now() / 1000 - uptime()) / 60)}`
  }
}
