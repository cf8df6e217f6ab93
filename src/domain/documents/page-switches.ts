/** The settings that decide which kinds of pages exist. */

export interface SwitchEntry {
  /** The environment variable, `on` or `off`. */
  readonly variable: string
  readonly usual: 'on' | 'off'
  /** In the help of commands. */
  readonly help: string
  /** In the count of files. */
  readonly files: string
}

/** By the names that they have in `Site`. */
export const PAGE_SWITCHES = {
  productPages: {
    variable: 'PRODUCT_PAGES',
    usual: 'on',
    help: 'each product has a page',
    files: 'pages of products',
  },
} as const satisfies Readonly<Record<string, SwitchEntry>>

export type PageSwitch = keyof typeof PAGE_SWITCHES
export type PageSwitches = { readonly [S in PageSwitch]: boolean }

/** Creates a value for each switch. */
export function mapSwitches<Value>(create: (name: PageSwitch, entry: SwitchEntry) => Value): {
  readonly [S in PageSwitch]: Value
} {
  const values = Object.entries<SwitchEntry>(PAGE_SWITCHES).map(([name, entry]) => [
    name,
    create(name as PageSwitch, entry),
  ])
  return Object.fromEntries(values) as { readonly [S in PageSwitch]: Value }
}
