/** A preload for every thread of a command: stops the process once, after its first catalogue page is in place. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const rename = fs.renameSync

fs.renameSync = (from, to) => {
  rename(from, to)
  if (!/catalogo.*\.html$/.test(String(to))) return
  fs.renameSync = rename
  syncBuiltinESMExports()
  process.kill(process.pid, 'SIGSTOP')
}
syncBuiltinESMExports()
