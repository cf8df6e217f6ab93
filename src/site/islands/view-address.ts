/** Reads and writes the view in the page's address, so that a reload or a shared link shows the same view. */
import { PRODUCT_ANCHOR } from '../../domain/pages/paths.ts'
import type { View } from '../../domain/catalogue/view.ts'
import { EVERYTHING, formatView, parseView } from '../../domain/catalogue/view.ts'
import { isLoading } from './is-loading.ts'

/** Returns the default view for a product's address, so that nothing hides the product. */
export function readView(): View {
  return namesProduct() ? EVERYTHING : parseView(location.search)
}

/** A non-default view removes a product's fragment, since `readView` would ignore the view otherwise. */
export function writeView(view: View): void {
  const search = formatView(view, location.search)
  if (search === location.search) return
  const hash = namesProduct() && formatView(view, '') !== '' ? '' : location.hash
  replaceAddress(location.pathname + search + hash)
}

/**
 * If the address names a product that the page lacks, removes the fragment and returns true. So a lost product is found
 * once, by whichever script comes first. A kept page may be older than the product.
 */
export function forgetLostProduct(): boolean {
  if (isLoading() || !namesProduct()) return false
  if (findNamed() ?? document.querySelector('.kept time')) return false
  replaceAddress(readPath())
  return true
}

/** Returns the element that the fragment of the address names. */
export function findNamed(): HTMLElement | null {
  return document.getElementById(location.hash.slice(1))
}

/** Returns the address without origin and fragment. */
export function readPath(): string {
  return location.pathname + location.search
}

/** Changes the address without a new entry in the history. */
export function replaceAddress(url: string): void {
  history.replaceState(history.state, '', url)
}

function namesProduct(): boolean {
  return location.hash.startsWith(`#${PRODUCT_ANCHOR}`)
}
