/**
 * Visitor stories: two on a product's page, and one that checks that the sticky bar never covers the element with the
 * focus.
 */
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import type { UnsteadySite } from '../unsteady-site.ts'
import type { Tab } from './engine.ts'
import { isProduct } from './page-reads.ts'
import { ask, tapOn, waitFor } from './steps.ts'

const CATALOGUE = formatCataloguePath('treinta')

export async function orderProduct(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(`${origin}${CATALOGUE}/treinta1?tamano=5ml`)
  await waitFor(tab, readChosen, ['5ml', true])
  await tapOn(tab, '.offer .add')
  await waitFor(tab, isOrdered, true)
  await tapOn(tab, '.onward')
  await waitFor(tab, isProduct, false)
  await tab.back()
  await waitFor(tab, isProduct, true)
  await ask(tab, scrollDown)
  await tapOn(tab, '.more li a')
  await waitFor(tab, isAtOther, true)
}

export async function focusBack(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(origin + CATALOGUE)
  await waitFor(tab, countCovered, 0)
}

export async function openPhoto(tab: Tab, { origin }: UnsteadySite): Promise<void> {
  await tab.open(`${origin}${CATALOGUE}/treinta0`)
  await tapOn(tab, 'main picture')
  await waitFor(tab, isPicture, true)
  await tab.back()
  await waitFor(tab, isProduct, true)
}

// The functions below run in the page.

/** Returns the chosen size, and whether the button that adds it shows the price of that size. */
function readChosen(): readonly [string | undefined, boolean] {
  const chosen = document.querySelector<HTMLInputElement>('.size :checked')
  const price = chosen?.parentElement?.querySelector('.price')?.textContent
  return [chosen?.value, document.querySelector('.offer .add span')?.textContent === price]
}

function scrollDown(): void {
  scrollTo(0, document.body.scrollHeight)
}

/** Returns true on the page of any product of the seller `treinta` except `treinta1`. */
function isAtOther(): boolean {
  return /\/treinta\/(?!treinta1$)/.test(location.pathname)
}

function isOrdered(): boolean {
  return document.querySelector('a.order')?.hasAttribute('data-full') === true
}

/**
 * Focuses every link and button of `main`, from the last to the first. Returns how many of them the sticky bar covers
 * while they have the focus.
 */
function countCovered(): number {
  const bar = document.querySelector('.bar')
  const controls = [...document.querySelectorAll<HTMLElement>('main a, main button')].toReversed()
  return controls.filter((control) => {
    control.focus()
    const { top, height } = control.getBoundingClientRect()
    return height > 0 && top < (bar?.getBoundingClientRect().bottom ?? 0) - 1
  }).length
}

function isPicture(): boolean {
  return /\.(svg|jpg)$/.test(location.pathname)
}
