/** A compiled renderer that renders nothing, for tests of the Worker that is made of it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeptRenderer } from '../../../src/builder/renderer/compile.ts'
import type { PageKindHashes } from '../../../src/builder/renderer/compiled-lists.ts'

/** Writes a server entry that exports `value`, which is code, instead of a renderer. */
export function createKept(server: string, kinds: Partial<PageKindHashes>, value: string): KeptRenderer {
  mkdirSync(server, { recursive: true })
  writeFileSync(join(server, 'entry.mjs'), `export const createRenderer = ${value}`)
  const inline = { scripts: ["'sha256-x'"], styles: [] }
  return { server, client: '', assets: {}, inline, kinds: kinds as PageKindHashes }
}
