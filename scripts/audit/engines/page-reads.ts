/**
 * Functions that stories run in the page. Each is sent to the page as source text, so its body must not refer to other
 * code of this module.
 */

export function isWide(): boolean {
  const { scrollWidth, clientWidth } = document.documentElement
  return scrollWidth > clientWidth
}

/** Returns the number of shown cards, the text in the search box, and the query string of the address. */
export function readEngineSeen(): readonly (number | string | undefined)[] {
  const shown = document.querySelectorAll('.card:not([hidden])')
  return [shown.length, document.querySelector('input')?.value, location.search]
}

export function countCards(): number {
  return document.querySelectorAll('.card:not([hidden])').length
}

export function readPressed(): string | undefined {
  return document.querySelector<HTMLButtonElement>('[aria-pressed=true]')?.value
}

export function readAddress(): string {
  return location.search
}

export function readFragment(): string {
  return location.hash
}

export function countEntries(): number {
  return history.length
}

export function isProduct(): boolean {
  return document.querySelector('.product') !== null
}

export function collectErrors(): void {
  const { dataset } = document.documentElement
  dataset['errors'] = ''
  addEventListener('error', ({ message }) => {
    dataset['errors'] += `${message}; `
  })
}

/** Returns the messages of the errors that occurred in the page since the call of `collectErrors`. */
export function readErrors(): string {
  return document.documentElement.dataset['errors'] ?? ''
}

export async function enterFast(keys: number): Promise<void> {
  const box = document.querySelector('input')
  for (let key = 0; key < keys; key += 1) {
    if (box !== null) box.value = `${key}`
    box?.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
  }
}

export function countSheets(): number {
  return document.querySelectorAll('.sheet[open]').length
}

export function isSent(): boolean {
  return (
    document.querySelector('.sheet[open] a.send')?.getAttribute('href')?.includes('wa.me/18095550100') ===
    true
  )
}

export function isFirstDrawn(): boolean {
  const photo = document.querySelector<HTMLImageElement>('main img')
  return photo?.currentSrc.endsWith('/sin-foto.svg') === true && photo.naturalWidth > 0
}

export function isControlled(): boolean {
  return navigator.serviceWorker.controller !== null
}

export function readKept(): readonly [boolean, number] {
  const line = document.querySelector<HTMLElement>('.kept')
  return [line?.hidden === false, document.querySelectorAll('.card').length]
}

export function readLinks(): readonly (string | null)[] {
  return [...document.querySelectorAll('main nav a')].map((link) => link.getAttribute('href'))
}

/**
 * Forces a layout. Returns the milliseconds from the start of the navigation to the end of the layout; `Infinity` if
 * the body has no height.
 */
export function readLayoutTime(): number {
  return document.body.offsetHeight > 0 ? performance.now() : Infinity
}

export function isSorted(count: number): boolean {
  const cards = document.querySelectorAll<HTMLElement>('.card')
  const prices = [...cards].map(({ dataset }) => Number(dataset['price']) || Infinity)
  return prices.length === count && prices.every((price, index) => price >= (prices[index - 1] ?? 0))
}

/**
 * Returns `here` if the focused element matches the selector; otherwise `unseen` if it should show its focus but does
 * not, else `elsewhere`.
 */
export function hasSeenFocus(selector: string): 'here' | 'elsewhere' | 'unseen' {
  const focused = document.activeElement
  // When Tab has passed the last element of the page, the browser itself has the focus.
  if (focused === null || focused === document.body) return 'elsewhere'
  // The window that WebKit's driver opens is never active, so no element in it matches `:focus` or shows its focus. In
  // that window, only the selector is checked.
  if (!focused.matches(':focus')) return focused.matches(selector) ? 'here' : 'elsewhere'
  const { outlineStyle, boxShadow } = getComputedStyle(focused)
  // A sheet's heading gets the focus only for screen readers, so it need not show the focus.
  const isSeen = outlineStyle !== 'none' || boxShadow !== 'none' || focused.matches('[tabindex="-1"]')
  return focused.matches(selector) ? 'here' : isSeen ? 'elsewhere' : 'unseen'
}

export function isFocusInSheet(): boolean {
  return document.querySelector('.sheet[open]')?.contains(document.activeElement) === true
}

export function isFocusOn(selector: string): boolean {
  return document.activeElement?.matches(selector) === true
}

/**
 * Returns the name of the first product that is available both as a bottle and as a decant of 5 ml, and the price of
 * that decant.
 */
export function readSized(): readonly string[] {
  const card = document.querySelector('[data-available][data-5ml]')
  const price = card?.querySelector('dd')?.firstChild?.textContent ?? ''
  return [card?.querySelector('h2')?.textContent.trim() ?? '', price.trim()]
}

export function isAnnounced(text: string): boolean {
  return [...document.querySelectorAll('output, [role=status]')].some((line) => line.textContent === text)
}

/**
 * Returns whether the element's background is dark, and whether its text is bright; an empty list if there is no such
 * element.
 */
export function readBrightness(selector: string): readonly boolean[] {
  const element = document.querySelector(selector)
  if (element === null) return []
  const { backgroundColor, color } = getComputedStyle(element)
  const measure = (text: string): number => {
    const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number)
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
  }
  return [measure(backgroundColor) < 0.15, measure(color) > 0.75]
}

/** Sorts by lowest price: sets the select and fires the events that a visitor's choice fires. */
export function chooseCheapest(): void {
  const option = document.querySelector<HTMLOptionElement>('option[value=precio-menor]')
  const select = option?.closest('select')
  if (option === null || select === null || select === undefined)
    throw new Error('the page has no select element with the option precio-menor')
  select.value = option.value
  select.dispatchEvent(new Event('input', { bubbles: true }))
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

/**
 * Returns the text directions of the seller's name and of the first product's name, and whether the product's name
 * stays within the width of its card.
 */
export function readDirections(): readonly (string | boolean)[] {
  const [heading, name] = [...document.querySelectorAll('h1 bdi, .card h2 bdi')]
  const directions = [heading, name].map((one) => (one === undefined ? '' : getComputedStyle(one).direction))
  const inner = name?.getBoundingClientRect()
  const outer = document.querySelector('.card')?.getBoundingClientRect()
  const isInside =
    inner !== undefined && outer !== undefined && inner.left >= outer.left && inner.right <= outer.right
  return [...directions, isInside]
}

export function readText(selector: string): string {
  return document.querySelector(selector)?.textContent.replace(/\s+/g, ' ').trim() ?? ''
}

export function countShown(selector: string): number {
  return [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length > 0).length
}

export function readFocus(): string | undefined {
  return document.activeElement?.textContent
}
