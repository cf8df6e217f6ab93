/** The steps of stories: they act as a visitor does, and wait for what she would see. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Tab } from './engine.ts'
import { hasSeenFocus } from './page-reads.ts'

/** In milliseconds. */
const PATIENCE = 30_000
const STEP = 50
/** More than a catalogue of 30 has. */
const MOST_STOPS = 150

/** Taps the middle of the first element of the selector that is shown, once there is one. */
export async function tapOn(tab: Tab, selector: string): Promise<void> {
  const point = await poll(
    () => ask(tab, findMiddle, selector) as Promise<{ x: number; y: number } | null>,
    (found) => found !== null,
  )
  if (point === null) throw new Error(`the page shows no ${selector}`)
  await tab.tap(point.x, point.y)
}

/** Presses Tab until the focus is on an element of the selector. Each stop on the way must be seen. */
export async function tabTo(tab: Tab, selector: string): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await tab.press('Tab')
    const found = await ask(tab, hasSeenFocus, selector)
    if (found === 'unseen') throw new Error(`the focus is not seen on the way to ${selector}`)
    if (found === 'here') return
  }
  throw new Error(`Tab does not lead to ${selector}`)
}

/** Activates the first element that assistive technology knows by this role and one of these names, once there is one. */
export async function activate(tab: Tab, role: string, ...names: readonly string[]): Promise<void> {
  const isFound = await poll(() => activateAny(tab, role, names), Boolean)
  if (!isFound) throw new Error(`no ${role} is known as ${names.join(', nor as ')}`)
}

async function activateAny(tab: Tab, role: string, names: readonly string[]): Promise<boolean> {
  for (const name of names) if (await tab.activate(role, name).catch(() => false)) return true
  return false
}

/** Waits until assistive technology knows an element by this role and name. */
export async function perceive(tab: Tab, role: string, name: string): Promise<void> {
  const isFound = await poll(() => tab.activate(role, name, true).catch(() => false), Boolean)
  if (!isFound) throw new Error(`no ${role} is known as ${name}`)
}

/** Waits until the function returns this in the page. */
export async function waitFor<T>(
  tab: Tab,
  find: (argument: T) => unknown,
  wanted: unknown,
  argument?: T,
): Promise<void> {
  const isWanted = (found: unknown): boolean => JSON.stringify(found) === JSON.stringify(wanted)
  // The page may be left meanwhile.
  const found = await poll(() => ask(tab, find, argument).catch(String), isWanted)
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
