/**
 * Identifies the current boot of the operating system. If the previous run belongs to an earlier boot, its writes that
 * were not synced may be lost.
 */
import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

const LINUX_BOOT_ID = '/proc/sys/kernel/random/boot_id'

export function readBootId(): string {
  try {
    return readFileSync(LINUX_BOOT_ID, 'utf8').trim()
  } catch {
    // On other systems, the id is the time of the boot, rounded to minutes. If the rounded time differs within one
    // boot, the next run needlessly compares files with the record.
    return `booted ${Math.round((Date.now() / 1000 - uptime()) / 60)}`
  }
}
