/** The steps of visitor stories: they act as a visitor does, and wait for what the visitor would see. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Tab } from './engine.ts'
import { hasSeenFocus } from './page-reads.ts'

/** Max sum of the pauses while a step waits for what it expects, in milliseconds. */
const PATIENCE = 30_000
const STEP = 50
/** Max presses of Tab. A catalogue of 30 products has fewer focusable elements. */
const MOST_STOPS = 150

/** Waits until an element that matches the selector is shown, and taps its middle. */
export async function tapOn(tab: Tab, selector: string): Promise<void> {
  const point = await poll(
    () => ask(tab, findMiddle, selector) as Promise<{ x: number; y: number } | null>,
    (found) => found !== null,
  )
  if (point === null) throw new Error(`the page shows no element that matches ${selector}`)
  await tab.tap(point.x, point.y)
}

/**
 * Presses Tab until the focused element matches the selector. Throws after `MOST_STOPS` presses, or if `hasSeenFocus`
 * returns `unseen` for an element on the way.
 */
export async function tabTo(tab: Tab, selector: string): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await tab.press('Tab')
    const found = await ask(tab, hasSeenFocus, selector)
    if (found === 'unseen')
      throw new Error(`on the way to ${selector}, Tab focused an element that shows no focus indicator`)
    if (found === 'here') return
  }
  throw new Error(`${MOST_STOPS} presses of Tab did not focus an element that matches ${selector}`)
}

/** Waits until an element has this accessible role and one of these accessible names, and clicks the element. */
export async function activate(tab: Tab, role: string, ...names: readonly string[]): Promise<void> {
  const isFound = await poll(() => activateAny(tab, role, names), Boolean)
  if (!isFound) throw new Error(`assistive technology finds no ${role} with the name ${names.join(' or ')}`)
}

async function activateAny(tab: Tab, role: string, names: readonly string[]): Promise<boolean> {
  for (const name of names) if (await tab.activate(role, name).catch(() => false)) return true
  return false
}

/** Waits until an element has this accessible role and name. */
export async function perceive(tab: Tab, role: string, name: string): Promise<void> {
  const isFound = await poll(() => tab.activate(role, name, true).catch(() => false), Boolean)
  if (!isFound) throw new Error(`assistive technology finds no ${role} with the name ${name}`)
}

/** Waits until `find`, called in the page with `argument`, returns a value equal to `wanted`. */
export async function waitFor<T>(
  tab: Tab,
  find: (argument: T) => unknown,
  wanted: unknown,
  argument?: T,
): Promise<void> {
  const isWanted = (found: unknown): boolean => JSON.stringify(found) === JSON.stringify(wanted)
  // Errors do not end the wait, because calls fail while the browser loads another page.
  const found = await poll(() => ask(tab, find, argument).catch(String), isWanted)
  if (!isWanted(found))
    throw new Error(`${find.name} returned ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
}

/**
 * Repeats `look` until `isDone` accepts the result, or until the pauses between the calls amount to `PATIENCE`. Returns
 * the result of the final call.
 */
async function poll<T>(look: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  let found = await look()
  for (let waited = 0; !isDone(found) && waited < PATIENCE; waited += STEP) {
    await wait(STEP)
    found = await look()
  }
  return found
}

/**
 * Calls a function in the page and returns its result. The function may use only its argument and the globals of pages.
 */
export function ask<T>(tab: Tab, read: (argument: T) => unknown, argument?: T): Promise<unknown> {
  // The argument is written as JSON, which is a valid expression in JavaScript.
  return tab.run(`(${String(read)})(${JSON.stringify(argument) ?? ''})`)
}

/**
 * Runs in the page. Scrolls to the first shown element that matches the selector, and returns its middle; `null` if
 * there is none.
 */
function findMiddle(selector: string): { x: number; y: number } | null {
  const shown = [...document.querySelectorAll(selector)].find(
    (element) => element.getClientRects().length > 0,
  )
  if (shown === undefined) return null
  shown.scrollIntoView({ block: 'center' })
  const { left, top, width, height } = shown.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
