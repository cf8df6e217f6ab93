/**
 * Answers what the visitor types into the search box of all catalogues: fetches the page that the form leads to, and
 * shows its content here. When that is refused or fails, the form still works.
 */
import { SEARCH_PATH } from '../../../domain/pages/paths.ts'
import type { FoundPage } from './found-page.ts'
import { keepPresent, parseFound, showFound } from './found-page.ts'

/** How long the visitor must not have typed, in milliseconds. */
const REST = 300
const FEWEST_LETTERS = 3

/** The status of the answer to one who asks too often. */
const REFUSED = 429

const box = document.querySelector('input')
const begin = keepPresent(box?.defaultValue ?? '')
let shown = begin
let isRefused = false
let timer: ReturnType<typeof setTimeout> | undefined
let asking = new AbortController()

function followTyping(): void {
  asking.abort()
  clearTimeout(timer)
  const query = readQuery()
  if (query === begin.query) show(begin)
  else if (query !== shown.query && !isRefused && countLetters(query) >= FEWEST_LETTERS)
    timer = setTimeout(() => void answer(query), REST)
}

async function answer(query: string): Promise<void> {
  asking = new AbortController()
  const address = `${SEARCH_PATH}?${new URLSearchParams({ q: query })}`
  try {
    const response = await fetch(address, { signal: asking.signal })
    isRefused = response.status === REFUSED
    const found = response.ok ? parseFound(await response.text(), { query, address }) : null
    if (found !== null) show(found)
  } catch {
    // Overtaken, or there is no network.
  }
}

function show(page: FoundPage): void {
  if (page === shown) return
  shown = page
  showFound(page)
}

/** What is shown already needs no other page: the key only hides the keyboard. */
function submit(event: Event): void {
  asking.abort()
  clearTimeout(timer)
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
// The visitor may have typed before this arrived.
followTyping()
