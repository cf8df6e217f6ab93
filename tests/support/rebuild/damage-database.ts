/** Damages a closed database so that it opens, and fails when its tables are read. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs'

const PAGE = 4_096
/** Pages that stay sound: that of the schema. */
const SOUND = 1

export function damageDatabase(file: string): void {
  const noise = Buffer.alloc(PAGE, 0xaa)
  const descriptor = openSync(file, 'r+')
  for (let at = SOUND * PAGE; at < statSync(file).size; at += PAGE) writeSync(descriptor, noise, 0, PAGE, at)
  closeSync(descriptor)
}
