/** Replaces the page's content with the content of a search page. */
import { SEARCH_PATH } from '../../../domain/documents/page-table.ts'
import { addStyle } from '../add-style.ts'
import { createElement } from '../order/create-element.ts'
import { readPath } from '../catalogue/view-address.ts'

export interface FoundPage {
  readonly query: string
  /** Path and query string. */
  readonly address: string
  readonly title: string
  /** The children of `main`. */
  readonly content: readonly Node[]
  /** The announcement for screen readers. */
  readonly status: string
}

const main = document.querySelector('main')
const status = createElement('p', 'unseen')
status.setAttribute('role', 'status')
document.body.append(status)

/** True if the page contains the CSS of results. At first, only search pages contain it. */
let isStyled = location.pathname === SEARCH_PATH

/** Returns the current page, so that it can be shown again. */
export function keepPresent(query: string): FoundPage {
  const { title } = document
  return { query, address: readPath(), title, content: [...(main?.childNodes ?? [])], status: '' }
}

/**
 * Returns `null` for HTML without a status line. The page of a search that succeeded has one, even if nothing was
 * found.
 */
export function parseFound(
  html: string,
  { query, address }: Pick<FoundPage, 'query' | 'address'>,
): FoundPage | null {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const line = page.querySelector('main [role=status]')
  if (line === null) return null
  // Only some screen readers announce an inserted status line, so the line loses its role. The element `status`, which
  // all of them announce, receives the text instead.
  line.removeAttribute('role')
  if (!isStyled) adoptStyle(page)
  const content = [...(page.querySelector('main')?.childNodes ?? [])]
  return { query, address, title: page.title, content, status: line.textContent }
}

export function showFound(page: FoundPage): void {
  main?.replaceChildren(...page.content)
  document.title = page.title
  status.textContent = page.status
}

function adoptStyle(page: Document): void {
  addStyle([...page.querySelectorAll('style')].map((style) => style.textContent).join(''))
  isStyled = true
}
