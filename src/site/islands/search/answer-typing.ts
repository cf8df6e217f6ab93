/**
 * Shows results while the visitor types into the search box of all catalogues: fetches the page to which the form
 * leads, and shows that page's content. If the request is rejected or fails, the form still works.
 */
import { parseView } from '../../../domain/catalogue/view.ts'
import { formatSearchPath } from '../../../domain/pages/paths.ts'
import { readPath, replaceAddress } from '../catalogue/view-address.ts'
import type { FoundPage } from './found-page.ts'
import { keepPresent, parseFound, showFound } from './found-page.ts'

/** Pause in typing after which the search starts, in milliseconds. */
const REST = 300
const FEWEST_LETTERS = 3

/** HTTP status of the response to a visitor who searches too often. */
const REFUSED = 429

const box = document.querySelector('input')
/** The decants to which the loaded page and its form are narrowed. */
const { decants } = parseView(location.search)
const begin = keepPresent(box?.defaultValue ?? '')
let shown = begin
/** The page of results that was shown most recently; the loaded page until there is one. */
let found = begin
/**
 * True if this module pushed the current history entry. All pages of results share one entry, whose address is
 * replaced, so that the visitor returns to the loaded page in one step.
 */
let isEntryOwn = false
let isRefused = false
let timer: ReturnType<typeof setTimeout> | undefined
let asking = new AbortController()

function followTyping(): void {
  stopAsking()
  const query = readQuery()
  if (query === begin.query) showTyped(begin)
  else if (query !== shown.query && !isRefused && countLetters(query) >= FEWEST_LETTERS)
    timer = setTimeout(() => void answer(query), REST)
}

async function answer(query: string): Promise<void> {
  asking = new AbortController()
  const address = formatSearchPath({ query, decants })
  try {
    const response = await fetch(address, { signal: asking.signal })
    isRefused = response.status === REFUSED
    const page = response.ok ? parseFound(await response.text(), { query, address }) : null
    if (page !== null) showTyped(page)
  } catch {
    // Newer input aborted this search, or there is no network.
  }
}

function showTyped(page: FoundPage): void {
  if (page === shown) return
  if (isEntryOwn) replaceAddress(page.address)
  else history.pushState(null, '', page.address)
  isEntryOwn = true
  if (page !== begin) found = page
  show(page)
  scrollTo(0, 0)
}

/** Shows the page of the current history entry. */
function followHistory(): void {
  const page = [begin, found].find(({ address }) => address === readPath())
  if (page === undefined) return location.reload()
  isEntryOwn = page !== begin
  if (page === shown) return
  stopAsking()
  if (box !== null) box.value = page.query
  show(page)
}

function show(page: FoundPage): void {
  shown = page
  showFound(page)
}

function stopAsking(): void {
  asking.abort()
  clearTimeout(timer)
}

/** If this module already shows the results of the query, Enter or the button only hides the keyboard. */
function submit(event: Event): void {
  stopAsking()
  if (shown === begin || readQuery() !== shown.query) return
  event.preventDefault()
  box?.blur()
}

function readQuery(): string {
  return box?.value.trim() ?? ''
}

function countLetters(query: string): number {
  return query.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

box?.addEventListener('input', followTyping)
box?.form?.addEventListener('submit', submit)
addEventListener('popstate', followHistory)
// The visitor may have typed before this module was loaded.
followTyping()
