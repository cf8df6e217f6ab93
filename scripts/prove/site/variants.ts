/** Compiles variants of the project's code, once each, and keeps them for later runs. */
import { hashBytes, hashManifest } from '../../../src/builder/state/manifest.ts'
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KeptRenderer } from '../../../src/builder/renderer/compile.ts'
import { compileRenderer, findRenderer } from '../../../src/builder/renderer/compile.ts'
import { readInputManifest } from '../../../src/builder/renderer/fingerprint.ts'
import { STORE } from '../../../src/builder/state/project-folder.ts'
import { copyProject } from '../../measure/copy-project.ts'

export interface CodeVariant {
  readonly name: string
  readonly code: string
  readonly kept: KeptRenderer
}

/** Text to append to files, by path. */
type Edits = Readonly<Record<string, string>>

const EFFECT = "Object.assign(globalThis, { vitrinaVariant: 'another' })\n"

/**
 * The edits of each variant. The first variant is the unchanged code; the others change code of each kind that becomes
 * part of a page.
 */
export const CODE_EDITS: Readonly<Record<string, Edits>> = {
  'as it is': {},
  'with another component, style and island': {
    'src/site/layouts/CatalogueScreen.astro': '\n<p hidden>another</p>\n',
    'src/site/styles/base.css': '\n.another { color: red }\n',
    'src/site/islands/catalogue/FilterBar.tsx': `\n${EFFECT}`,
  },
  'with another helper of an island': { 'src/site/stores/shown-view.ts': `\n${EFFECT}` },
}

/** Compiles the first `count` variants, and adds one with another hash that renders the same pages as the first. */
export async function compileVariants(
  progress: (text: string) => void,
  count = Infinity,
): Promise<readonly CodeVariant[]> {
  // Selects React's production build, because its development build is slower and renders other markup.
  process.env['NODE_ENV'] = 'production'
  const variants: CodeVariant[] = []
  for (const [name, edits] of Object.entries(CODE_EDITS).slice(0, count)) {
    progress(`Compiling the project's code ${name}`)
    variants.push(await compileVariant(name, edits))
  }
  return [...variants, ...variants.slice(0, 1).map(changeNothingShown)]
}

export function editProject(folder: string, edits: Edits): void {
  for (const [file, text] of Object.entries(edits)) {
    if (!existsSync(join(folder, file)))
      throw new Error(`CODE_EDITS names ${file}, which does not exist: name another file there`)
    appendFileSync(join(folder, file), text)
  }
}

export async function compileVariant(name: string, edits: Edits): Promise<CodeVariant> {
  const root = mkdtempSync(join(tmpdir(), 'vitrina-variant-'))
  try {
    editProject(copyProject(root), edits)
    const readCode = (): string => hashManifest(readInputManifest(root))
    const code = readCode()
    // Uses a separate store for each variant, because a store keeps only the newest few renderers.
    const store = join(tmpdir(), `vitrina-renderers-${hashBytes(name).slice(0, 8)}`)
    takeCompiled(store, code)
    return { name, code, kept: await compileRenderer({ root, store, code }, readCode) }
  } finally {
    rmSync(root, { recursive: true })
  }
}

/**
 * Copies the renderer of the same code from the project's own store, if that store has it. The copy gets its final name
 * last, so that no other process finds an incomplete renderer.
 */
function takeCompiled(store: string, code: string): void {
  if (findRenderer(store, code) !== null || findRenderer(STORE, code) === null) return
  mkdirSync(store, { recursive: true })
  const copy = mkdtempSync(join(store, 'copied-'))
  cpSync(join(STORE, code), copy, { recursive: true })
  rmSync(join(store, code), { recursive: true, force: true })
  renameSync(copy, join(store, code))
}

// Imitates the edit of a comment, which changes the hash of the code but no page.
function changeNothingShown({ code, kept }: CodeVariant): CodeVariant {
  return { name: 'with another comment', code: hashBytes(code), kept }
}
