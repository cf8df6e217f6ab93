/** A built page, parsed for checks. */
import { DomUtils, parseDocument } from 'htmlparser2'
import type { PageKind } from '../../../src/domain/documents/page-table.ts'
import { PRODUCT_ANCHOR } from '../../../src/domain/pages/paths.ts'

type Tree = ReturnType<typeof parseDocument>
export type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number]

export interface BuiltPage {
  readonly path: string
  readonly kind: PageKind
  readonly html: string
  readonly tree: Tree
  /** Elements of the page's products: those whose `id` is a product's fragment. */
  readonly cards: readonly Element[]
}

/** Returns the problems of a page as phrases that follow the path of the page, such as "has no title". */
export type PageCheck = (page: BuiltPage) => readonly string[]

export function createPage(path: string, kind: PageKind, html: string): BuiltPage {
  const tree = parseDocument(html)
  // Templates are emptied, because their content is not displayed.
  for (const template of findNamed(tree, 'template')) template.children = []
  const cards = findAll(tree, ({ attribs }) => attribs['id']?.startsWith(PRODUCT_ANCHOR) === true)
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

export function readCanonical({ tree }: BuiltPage): string | undefined {
  return findAll(tree, ({ attribs }) => attribs['rel'] === 'canonical')[0]?.attribs['href']
}

/** Returns the element's text with each run of white space replaced by one space. */
export function readPageText(element: Element | undefined): string {
  return element === undefined ? '' : DomUtils.textContent(element).replace(/\s+/g, ' ').trim()
}
