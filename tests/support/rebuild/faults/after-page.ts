/** Does something once in a command, after its first catalogue page is in place. For preloads. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

export function actAfterPage(act: () => void): void {
  const rename = fs.renameSync
  fs.renameSync = (from, to) => {
    rename(from, to)
    if (!/catalogo.*\.html$/.test(String(to))) return
    fs.renameSync = rename
    syncBuiltinESMExports()
    act()
  }
  syncBuiltinESMExports()
}
