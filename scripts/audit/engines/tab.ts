/** A browser tab that visitor stories use, and steps that act as a visitor does and wait for what is then seen. */
import { setTimeout as wait } from 'node:timers/promises'

export interface Engine {
  /** Opens a window of size `WINDOW` without cookies or stored data, like that of a new visitor. */
  openTab(): Promise<Tab>
  close(): Promise<void>
}

export interface Tab {
  /** Resolves when the page has loaded. */
  open(url: string): Promise<void>
  /**
   * Evaluates an expression in the page, and awaits its value if that is a promise. The value must be representable as
   * JSON.
   */
  run(expression: string): Promise<unknown>
  /** Presses and releases the pointer at a point of the window. */
  tap(x: number, y: number): Promise<void>
  /** Types into the element with the focus. */
  type(text: string): Promise<void>
  reload(): Promise<void>
  /** Goes back in the history; may resolve before the page is loaded. */
  back(): Promise<void>
  close(): Promise<void>
}

/** Size of the windows of all engines, in CSS pixels. WebKit's window cannot be narrower than about 450. */
export const WINDOW = { width: 450, height: 800 } as const
/** Max time of a call to a browser, in milliseconds. */
export const CALL_TIME = 120_000

/** Max sum of the pauses while a step waits for what it expects, in milliseconds. */
const PATIENCE = 30_000
const STEP = 50

/** Waits until an element that matches the selector is shown, and taps its middle. */
export async function tapOn(tab: Tab, selector: string): Promise<void> {
  // Errors do not end the wait, because calls fail while the browser loads another page.
  const look = () => ask(tab, findMiddle, selector).catch(() => null)
  const found = (await poll(look, (point) => point !== null)) as { x: number; y: number } | null
  if (found === null) throw new Error(`the page shows no element that matches ${selector}`)
  await tab.tap(found.x, found.y)
}

/** Waits until `find`, called in the page with `argument`, returns a value equal to `wanted`. */
export async function waitFor<T>(
  tab: Tab,
  find: (argument: T) => unknown,
  wanted: unknown,
  argument?: T,
): Promise<void> {
  const isWanted = (found: unknown): boolean => JSON.stringify(found) === JSON.stringify(wanted)
  const found = await poll(() => ask(tab, find, argument).catch(String), isWanted)
  if (!isWanted(found))
    throw new Error(`${find.name} returned ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
}

/** Calls a function in the page. The function may use only its argument and the globals of pages. */
export function ask<T>(tab: Tab, read: (argument: T) => unknown, argument?: T): Promise<unknown> {
  return tab.run(`(${String(read)})(${JSON.stringify(argument) ?? ''})`)
}

/** Repeats `look` until `isDone` accepts the result, or until the patience ends. Returns the last result. */
async function poll<T>(look: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  let found = await look()
  for (let waited = 0; !isDone(found) && waited < PATIENCE; waited += STEP) {
    await wait(STEP)
    found = await look()
  }
  return found
}

/** Runs in the page. Scrolls to the first shown element that matches, and returns its middle; `null` if none does. */
function findMiddle(selector: string): { x: number; y: number } | null {
  const shown = [...document.querySelectorAll(selector)].find((one) => one.getClientRects().length > 0)
  if (shown === undefined) return null
  shown.scrollIntoView({ block: 'center' })
  const { left, top, width, height } = shown.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
