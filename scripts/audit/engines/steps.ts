/** The steps of stories: they act as a visitor does, and wait for what she would see. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Tab } from './engine.ts'

/** In milliseconds. */
const PATIENCE = 30_000
const STEP = 50

/** Taps the middle of the first element of the selector that is shown. */
export async function tapOn(tab: Tab, selector: string): Promise<void> {
  const point = (await ask(tab, findMiddle, selector)) as { x: number; y: number } | null
  if (point === null) throw new Error(`the page shows no ${selector}`)
  await tab.tap(point.x, point.y)
}

/** Waits until the function returns this in the page. */
export async function waitFor(tab: Tab, find: () => unknown, wanted: unknown): Promise<void> {
  let found: unknown
  for (let waited = 0; waited < PATIENCE; waited += STEP) {
    // The page may be left meanwhile.
    found = await ask(tab, find).catch(String)
    if (JSON.stringify(found) === JSON.stringify(wanted)) return
    await wait(STEP)
  }
  throw new Error(`${find.name} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
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
