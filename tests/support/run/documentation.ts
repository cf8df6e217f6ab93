/** Parses README and docs: tables and headings. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../src/builder/files/project-folder.ts'

export interface DocumentationPage {
  /** Relative to the project's root. */
  readonly path: string
  readonly text: string
}

/** Raw cells without the header. */
export interface Table {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Also within an item of a list. */
const FENCED = /^ *```[^\n]*\n([\s\S]*?)^ *```/gm

export const DOCUMENTATION: readonly DocumentationPage[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/*.md', { cwd: ROOT }).toSorted(),
  'functions/firestore-trigger/README.md',
].map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

export function readDocumentationPage(path: string): DocumentationPage {
  const page = DOCUMENTATION.find((one) => one.path === path)
  if (page === undefined) throw new Error(`${path} does not exist`)
  return page
}

function listTables(text: string): readonly Table[] {
  const blocks = text.match(/(?:^\|.*\n)+/gm) ?? []
  return blocks.map((block) => {
    const [header = [], , ...rows] = block.trim().split('\n').map(readCells)
    return { header, rows }
  })
}

/** Returns the rows of the only table whose header begins with these cells. */
export function readTable({ path, text }: DocumentationPage, ...header: readonly string[]): Table['rows'] {
  const found = listTables(text).filter((table) => header.every((cell, at) => table.header[at] === cell))
  if (found.length !== 1)
    throw new Error(`${path} has ${found.length} tables that begin with ${header.join(', ')}`)
  return found[0]?.rows ?? []
}

export function listHeadings(text: string): readonly string[] {
  return [...text.replace(FENCED, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
}

function readCells(line: string): readonly string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}
