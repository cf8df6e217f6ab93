/** The settings that decide which kinds of pages exist. */

export interface SwitchEntry {
  /** Name of the environment variable, whose value is `on` or `off`. */
  readonly variable: string
  readonly usual: 'on' | 'off'
  /** The name that commands print for the pages of this switch when they count files. */
  readonly files: string
}

/** The keys are the names of the settings in `Site`. */
export const PAGE_SWITCHES = {
  productPages: {
    variable: 'PRODUCT_PAGES',
    usual: 'on',
    files: 'pages of products',
  },
  // Off by default: a feed is one more file per seller, and offers the seller's products to Google and Meta.
  feeds: {
    variable: 'FEEDS',
    usual: 'off',
    files: 'product feeds',
  },
  search: {
    variable: 'SEARCH',
    usual: 'on',
    files: 'files of the search',
  },
  // Off by default, because a poster is one more file per seller.
  posters: {
    variable: 'POSTERS',
    usual: 'off',
    files: 'posters',
  },
} as const satisfies Readonly<Record<string, SwitchEntry>>

export type PageSwitch = keyof typeof PAGE_SWITCHES
export type PageSwitches = { readonly [S in PageSwitch]: boolean }

export function mapSwitches<Value>(create: (name: PageSwitch, entry: SwitchEntry) => Value): {
  readonly [S in PageSwitch]: Value
} {
  const values = Object.entries<SwitchEntry>(PAGE_SWITCHES).map(([name, entry]) => [
    name,
    create(name as PageSwitch, entry),
  ])
  return Object.fromEntries(values) as { readonly [S in PageSwitch]: Value }
}
