/** A preload for a command: throws once, where nothing catches it, after its first catalogue page is in place. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const rename = fs.renameSync

fs.renameSync = (from, to) => {
  rename(from, to)
  if (!/catalogo.*\.html$/.test(String(to))) return
  fs.renameSync = rename
  syncBuiltinESMExports()
  queueMicrotask(() => {
    throw new Error('nothing catches this')
  })
}
syncBuiltinESMExports()
