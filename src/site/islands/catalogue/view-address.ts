/** Reads and writes the `View` in the page's address, so that a reload or a shared link shows the same cards. */
import { PRODUCT_ANCHOR } from '../../../domain/pages/paths.ts'
import type { View } from '../../../domain/catalogue/view.ts'
import { EVERYTHING, formatView, parseView } from '../../../domain/catalogue/view.ts'
import { find } from '../find.ts'
import { isLoading } from '../is-loading.ts'

/** Returns the `View` in the address; if the address names a product, the default `View`, which hides no product. */
export function readView(): View {
  return namesProduct() ? EVERYTHING : parseView(location.search)
}

/**
 * Max changes of the address by this script in 10 seconds. Browsers refuse more than 100, and two scripts may change
 * the address.
 */
const MOST_CHANGES = 40

let changes = 0
let waiting: ReturnType<typeof setTimeout> | undefined

/**
 * Writes the `View` to the address, or tries again later after too many changes. A non-default `View` removes a
 * product's fragment, because `readView` would otherwise ignore the `View`.
 */
export function writeView(view: View): void {
  clearTimeout(waiting)
  if (changes === MOST_CHANGES) {
    waiting = setTimeout(() => writeView(view), 250)
    return
  }
  const search = formatView(view, location.search)
  if (search === location.search) return
  changes += 1
  setTimeout(() => (changes -= 1), 10_000)
  const hash = namesProduct() && formatView(view, '') ? '' : location.hash
  replaceAddress(location.pathname + search + hash)
}

/**
 * If the address names a product that the page lacks, removes the fragment and returns true. Later calls therefore
 * return false. Also returns false while the page is loading, and on a page from the cache of the service worker, which
 * may be older than the product.
 */
export function forgetLostProduct(): boolean {
  if (isLoading() || !namesProduct()) return false
  if (findAnchored() ?? find('.kept time')) return false
  replaceAddress(readPath())
  return true
}

/** Returns the element that the address's fragment names. */
export function findAnchored(): HTMLElement | null {
  return document.getElementById(location.hash.slice(1))
}

/** Returns the address without origin and fragment. */
export function readPath(): string {
  return location.pathname + location.search
}

/** Changes the address without a new entry in the history. */
export function replaceAddress(url: string): void {
  try {
    history.replaceState(history.state, '', url)
  } catch {
    // The browser refused the change after too many others. A later change may succeed.
  }
}

function namesProduct(): boolean {
  return location.hash.startsWith(`#${PRODUCT_ANCHOR}`)
}
