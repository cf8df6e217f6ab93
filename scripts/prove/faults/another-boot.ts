/**
 * Loaded before the real command (`node --import`): replaces the system's boot id, as if the machine had been
 * restarted.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { BOOT_VARIABLE } from './injected-fault.ts'

const BOOT_ID = '/proc/sys/kernel/random/boot_id'
const boot = process.env[BOOT_VARIABLE]
const read = fs.readFileSync as (...args: readonly unknown[]) => unknown

if (boot !== undefined) {
  const readAfterBoot = (...args: readonly unknown[]): unknown => {
    if (String(args[0]) !== BOOT_ID) return read(...args)
    return args[1] === undefined ? Buffer.from(`${boot}\n`) : `${boot}\n`
  }
  Object.assign(fs, { readFileSync: readAfterBoot })
  syncBuiltinESMExports()
}
