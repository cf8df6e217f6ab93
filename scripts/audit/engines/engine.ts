/** The calls that stories make on a browser. */

export interface Engine {
  readonly name: string
  /** Opens a window as of a new visitor, as narrow as a phone where the engine allows it. */
  openTab(): Promise<Tab>
  close(): Promise<void>
}

/** The colours that the visitor's system asks for. */
export type Scheme = 'light' | 'dark'

export type EngineKey = 'Tab' | 'Enter' | 'Escape'

export interface Tab {
  /** Resolves when the page has loaded. */
  open(url: string): Promise<void>
  /** Returns the value of an expression in the page, which may be a promise of a value of JSON. */
  run(expression: string): Promise<unknown>
  /** Presses and releases the pointer at a point of the window. */
  tap(x: number, y: number): Promise<void>
  /** Types into the element with the focus. */
  type(text: string): Promise<void>
  press(key: EngineKey): Promise<void>
  /**
   * Clicks the element that assistive technology knows by this role and name. Returns false if it knows none. With
   * `isRead` it is found only.
   */
  activate(role: string, name: string, isRead?: boolean): Promise<boolean>
  reload(): Promise<void>
  /** Does not wait for the page. */
  back(): Promise<void>
  close(): Promise<void>
}

/** The windows of all engines, in CSS pixels. WebKit's window has a least width of about 450. */
export const WINDOW = { width: 450, height: 800 } as const
