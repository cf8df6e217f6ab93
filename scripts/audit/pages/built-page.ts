/** A page as the checks look at it. */
import { DomUtils, parseDocument } from 'htmlparser2'
import type { PageKind } from '../../../src/domain/pages/page.ts'

export type Tree = ReturnType<typeof parseDocument>
export type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number]

export interface BuiltPage {
  readonly path: string
  readonly kind: PageKind
  readonly html: string
  readonly tree: Tree
  /** Shown products. */
  readonly cards: readonly Element[]
}

/** What is wrong with one page, in words that follow its path; empty when all is well. */
export type PageCheck = (page: BuiltPage) => readonly string[]

export function createPage(path: string, kind: PageKind, html: string): BuiltPage {
  const tree = parseDocument(html)
  const cards = findAll(tree, ({ attribs }) => 'data-product' in attribs)
  return { path, kind, html, tree, cards }
}

export function findAll(
  tree: Tree | Element,
  isMeant: (element: Element) => boolean = () => true,
): readonly Element[] {
  return DomUtils.findAll(isMeant, tree.children)
}

export function findNamed(tree: Tree | Element, name: string): readonly Element[] {
  return findAll(tree, (element) => element.name === name)
}

export function hasClass({ attribs }: Element, name: string): boolean {
  return (attribs['class'] ?? '').split(/\s+/).includes(name)
}

/** As a reader sees it: white space counts once. */
export function readText(element: Element | undefined): string {
  return element === undefined ? '' : DomUtils.textContent(element).replace(/\s+/g, ' ').trim()
}
