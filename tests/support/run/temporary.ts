/** Real folders for tests, gone after them, and their files. */
import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
  closeSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach } from 'vitest'

/** Returns a path inside the folder of the running test. */
export function useTemporaryFolder(): (...names: readonly string[]) => string {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrina-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  return (...names) => join(folder, ...names)
}

/** Creates one folder for all tests of the file or `describe` that calls it. Returns a path inside. */
export function useSharedFolder(): (...names: readonly string[]) => string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return (...names) => join(folder, ...names)
}

/** Writes a text to each path, which is relative to `folder`. Creates the folders that are missing. */
export function writeTree(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const PAGE = 4_096
/** Pages that stay sound: that of the schema. */
const SOUND = 1

export function damageDatabase(file: string): void {
  const noise = Buffer.alloc(PAGE, 0xaa)
  const descriptor = openSync(file, 'r+')
  for (let at = SOUND * PAGE; at < statSync(file).size; at += PAGE) writeSync(descriptor, noise, 0, PAGE, at)
  closeSync(descriptor)
}
