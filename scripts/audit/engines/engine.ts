/** The browser interface that visitor stories use. */

export interface Engine {
  readonly name: string
  /** Opens a window of size `WINDOW` without cookies or stored data, like that of a new visitor. */
  openTab(): Promise<Tab>
  close(): Promise<void>
}

/** The colour scheme that the visitor's system prefers. */
export type Scheme = 'light' | 'dark'

export type EngineKey = 'Tab' | 'Enter' | 'Escape'

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
  press(key: EngineKey): Promise<void>
  /**
   * Clicks the element with this accessible role and name; with `isRead`, only looks for the element. Returns false if
   * there is no such element.
   */
  activate(role: string, name: string, isRead?: boolean): Promise<boolean>
  reload(): Promise<void>
  /** Goes back in the history; may resolve before the page is loaded. */
  back(): Promise<void>
  close(): Promise<void>
}

/** Size of the windows of all engines, in CSS pixels. WebKit's window cannot be narrower than about 450. */
export const WINDOW = { width: 450, height: 800 } as const
