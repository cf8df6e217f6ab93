/** Identifies the current boot of the operating system: after a later boot, writes that were not synced may be lost. */
import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

const LINUX_BOOT_ID = '/proc/sys/kernel/random/boot_id'

export function readBootId(): string {
  try {
    return readFileSync(LINUX_BOOT_ID, 'utf8').trim()
  } catch {
    // On other systems: the time of the boot, rounded to minutes. If the result differs within one boot, files are
    // compared needlessly.
    return `booted ${Math.round((Date.now() / 1000 - uptime()) / 60)}`
  }
}
