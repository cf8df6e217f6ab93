/**
 * `node floor-write.ts <folder> <target>`: copies a folder's files by plain writes, and prints the time of the writes
 * as JSON.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CHUNK = 500

const [folder = '', target = ''] = process.argv.slice(2)
const names = readdirSync(folder)
let ms = 0
mkdirSync(target, { recursive: true })
for (let start = 0; start < names.length; start += CHUNK) {
  const files = names
    .slice(start, start + CHUNK)
    .map((name) => ({ path: join(target, name), bytes: readFileSync(join(folder, name)) }))
  const begin = performance.now()
  for (const { path, bytes } of files) writeFileSync(path, bytes)
  ms += performance.now() - begin
}
console.log(JSON.stringify({ ms }))
