/** The steps of stories: they act as a visitor does, and wait for what she would see. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Tab } from './engine.ts'

/** In milliseconds. */
const PATIENCE = 30_000
const STEP = 50

/** Taps the middle of the first element of the selector that is shown, once there is one. */
export async function tapOn(tab: Tab, selector: string): Promise<void> {
  const point = await poll(
    () => ask(tab, findMiddle, selector) as Promise<{ x: number; y: number } | null>,
    (found) => found !== null,
  )
  if (point === null) throw new Error(`the page shows no ${selector}`)
  await tab.tap(point.x, point.y)
}

/** Waits until the function returns this in the page. */
export async function waitFor(tab: Tab, find: () => unknown, wanted: unknown): Promise<void> {
  const isWanted = (found: unknown): boolean => JSON.stringify(found) === JSON.stringify(wanted)
  // The page may be left meanwhile.
  const found = await poll(() => ask(tab, find).catch(String), isWanted)
  if (!isWanted(found))
    throw new Error(`${find.name} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
}

/** Returns the first result that is done, or the last one before the patience ends. */
async function poll<T>(look: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  let found = await look()
  for (let waited = 0; !isDone(found) && waited < PATIENCE; waited += STEP) {
    await wait(STEP)
    found = await look()
  }
  return found
}

/** Calls a function in the page. It may use its argument and what pages have. */
export function ask<T>(tab: Tab, read: (argument: T) => unknown, argument?: T): Promise<unknown> {
  // JSON is an expression of JavaScript.
  return tab.run(`(${String(read)})(${JSON.stringify(argument) ?? ''})`)
}

/** Runs in the page. */
function findMiddle(selector: string): { x: number; y: number } | null {
  const shown = [...document.querySelectorAll(selector)].find(
    (element) => element.getClientRects().length > 0,
  )
  if (shown === undefined) return null
  shown.scrollIntoView({ block: 'center' })
  const { left, top, width, height } = shown.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
