/** Links, paths and symbols in README and docs, and headings that comments in the code cite, exist. */
import { WINGS } from '../../scripts/audit/code/rooms.ts'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DocumentationPage } from '../support/run/documentation.ts'
import {
  listHeadings,
  listInlineCode,
  DOCUMENTATION,
  readDocumentationPage,
} from '../support/run/documentation.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'

const LINK = /\]\(([^)\s]+)\)/g
const PATH = /^\.?[\w-]+(?:[./][\w.[\]-]+)*\/?$/
/** File name extensions of hand-written files: a named file must exist. */
const SOURCE = /\.(?:ts|tsx|mjs|astro|css|md|yml|jsonc?)$/
/** Created by a run, or names of collections and calls. */
const MADE = ['dist', '.vitrina', 'users', 'cataloge', 'owner', 'application', 'vitrina.sqlite']
const SOURCES = '{src,functions,scripts}/**/*.{ts,tsx,astro,mjs}'
/** A name of code: with a capital inside or at its start, an underscore, or brackets. */
const SYMBOL = /^(?=.*[a-z][A-Z]|[A-Z]\w*[a-z]|.*_|.*\()([A-Za-z]\w*(?:\.\w+)*)(?:\(.*\))?$/
/** A constraint of Google's, which no code names. */
const FOREIGN = ['iam.disableServiceAccountKeyCreation']
const CODE = ['{src,functions,scripts,tests,.github}/**/*.{ts,tsx,astro,mjs,yml}', 'wrangler.jsonc']
const CITED = /docs\/(\w+)\.md, ([A-Z][\w ]+?)\.(?:\s|$)/g

function findBrokenLinks({ path, text }: DocumentationPage): readonly string[] {
  return [...text.matchAll(LINK)].flatMap(([, link = '']) => {
    if (/^https?:/.test(link)) return []
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : join(dirname(path), file)
    if (!existsSync(join(ROOT, target))) return [`${path}: ${link}`]
    return anchor === undefined || hasAnchor(target, anchor) ? [] : [`${path}: ${link}`]
  })
}

/** Formats a heading as an anchor like GitHub. */
function hasAnchor(file: string, anchor: string): boolean {
  const anchors = listHeadings(readDocumentationPage(file).text).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
  return anchors.includes(anchor)
}

const atRoot = readdirSync(ROOT)

/** The table of rooms names these without their wing. */
const ROOMS: ReadonlySet<string> = new Set(WINGS.flatMap(({ rooms }) => rooms.map(({ name }) => name)))

function isPath(code: string): boolean {
  if (ROOMS.has(code)) return false
  if (!PATH.test(code) || MADE.includes(code.split('/')[0] ?? '')) return false
  return code.includes('/') || SOURCE.test(code) || atRoot.includes(code)
}

describe('README and docs', () => {
  it('link to existing pages, pictures and headings', () => {
    expect(DOCUMENTATION.flatMap(({ text }) => [...text.matchAll(LINK)]).length).toBeGreaterThan(15)
    expect(DOCUMENTATION.flatMap(findBrokenLinks)).toEqual([])
  })

  it('name existing paths', () => {
    const named = DOCUMENTATION.flatMap(({ path, text }) =>
      listInlineCode(text)
        .filter(isPath)
        .map((code) => ({ path, code })),
    )
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter(({ code }) => !existsSync(join(ROOT, code)))).toEqual([])
  })

  it('name existing symbols', () => {
    const known = CODE.flatMap((pattern) => globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] }))
    const words = new Set(known.flatMap((path) => readFileSync(join(ROOT, path), 'utf8').match(/\w+/g) ?? []))
    const named = DOCUMENTATION.flatMap(({ path, text }) =>
      listInlineCode(text).flatMap((code) => {
        const symbol = SYMBOL.exec(code)?.[1]
        return symbol === undefined || FOREIGN.includes(symbol) ? [] : [{ path, symbol }]
      }),
    )
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter(({ symbol }) => !symbol.split('.').every((word) => words.has(word)))).toEqual([])
  })

  it('are all linked from the README', () => {
    const { text } = readDocumentationPage('README.md')
    const unreached = DOCUMENTATION.filter(
      ({ path }) => path.startsWith('docs/') && !text.includes(`](${path})`),
    )
    expect(unreached.map(({ path }) => path)).toEqual([])
  })
})

describe('comments in the code', () => {
  const files = globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules/**'] }).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }))

  it('cite existing headings of the docs', () => {
    const cited = files.flatMap(({ path, text }) =>
      [...text.matchAll(CITED)].map(([, page = '', heading = '']) => ({ path, page, heading })),
    )
    expect(cited.length).toBeGreaterThan(5)
    const isMissing = ({ page, heading }: (typeof cited)[number]): boolean =>
      !listHeadings(readDocumentationPage(`docs/${page}.md`).text).includes(heading)
    expect(cited.filter(isMissing)).toEqual([])
  })

  it('cite no section by its number', () => {
    expect(files.filter(({ text }) => /\bsection \d/i.test(text)).map(({ path }) => path)).toEqual([])
  })
})
