/** Lets the disk come to rest. */
import { spawnSync } from 'node:child_process'

/**
 * Waits until everything that earlier programs wrote is on the disk. Otherwise the next program pays for it: the first
 * file that it syncs waits for all of them. Does nothing where there is no command `sync`.
 */
export function settleDisk(): void {
  spawnSync('sync')
}
