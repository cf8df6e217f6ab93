/** Converts between pages, their addresses and their files. The patterns of the addresses are in page-table.ts. */
import type { PageSwitches } from './page-switches.ts'
import type { AnyKind, PageKey } from './page-table.ts'
import { findEntry, isOn, isTextKind, listKinds } from './page-table.ts'

/** Returns a path that the site routes to this kind of page, with sample ids. Not for kinds with a bucket. */
export function formatRoutePath(kind: AnyKind): string {
  return fillAddress({ kind, seller: 'id', product: 'id' })
}

/** Returns the page's path, encoded for a link. */
export function formatPagePath({ kind, seller, product, bucket }: PageKey): string {
  const ids = { seller: encodeURIComponent(seller ?? ''), product: encodeURIComponent(product ?? '') }
  return fillAddress({ kind, ...ids, ...(bucket !== undefined && { bucket }) })
}

/** Returns the page's file, relative to the output folder. The ids must have passed `findIdProblem`. */
export function formatPageFile(key: PageKey): string {
  const path = fillAddress(key).slice(1)
  return isTextKind(key.kind) ? path : `${path === '' ? 'index' : path}.html`
}

/** Returns the names at the top of the output folder that are pages, or folders with pages. */
export function listPlaces(): readonly string[] {
  const files = listKinds().map((kind) => formatPageFile({ kind, seller: '', product: '' }))
  return [...new Set(files.map((file) => file.split('/', 1)[0] ?? ''))]
}

/** Returns the key of the page in a file; `null` if the file is not a page. */
export function findPage(file: string): PageKey | null {
  for (const [kind, pattern] of (patterns ??= createPatterns())) {
    const found = pattern.exec(file)
    if (found === null) continue
    const { seller = null, product = null, bucket } = found.groups ?? {}
    return { kind, seller, product, ...(bucket !== undefined && { bucket }) }
  }
  return null
}

/**
 * Returns whether a page that exists with `switches` uses `id` as a fixed name where other addresses have an id, as
 * `/catalogo/404` does with `404`. Ignores case, because the file system of the output folder may ignore it.
 */
export function isTakenName(id: string, switches: Partial<PageSwitches>): boolean {
  return (taken ??= listTaken()).some(
    ({ name, kind }) => name.length === id.length && name === id.toLowerCase() && isOn(kind, switches),
  )
}

let taken: ReturnType<typeof listTaken> | undefined

function listTaken(): readonly { readonly name: string; readonly kind: AnyKind }[] {
  const addresses = listKinds().map((kind) => ({ kind, parts: findEntry(kind).address.split('/') }))
  return addresses.flatMap(({ kind, parts }) =>
    parts
      .filter((name, at) => !isId(name) && addresses.some((other) => isIdAt(other.parts, parts, at)))
      .map((name) => ({ name, kind })),
  )
}

function isIdAt(other: readonly string[], parts: readonly string[], index: number): boolean {
  return isId(other[index] ?? '') && parts.slice(0, index).every((part, at) => part === other[at])
}

function isId(part: string): boolean {
  return /^\{\w+\}$/.test(part)
}

function fillAddress({ kind, seller, product, bucket = '' }: PageKey): string {
  const address = findEntry(kind)
    .address.replace('{seller}', () => seller ?? '')
    .replace('{product}', () => product ?? '')
  return bucket === '' ? address : address.replace('{bucket}', bucket)
}

let patterns: readonly (readonly [AnyKind, RegExp])[] | undefined

const IDS: Readonly<Record<string, string>> = { bucket: '[\\da-f]{2}' }

// Puts patterns with fewer ids first, so that a fixed name takes precedence over an id.
function createPatterns(): readonly (readonly [AnyKind, RegExp])[] {
  const count = (kind: AnyKind): number => findEntry(kind).address.split('{').length
  return listKinds()
    .toSorted((a, b) => count(a) - count(b))
    .map((kind) => {
      const file = formatPageFile({ kind, seller: '{seller}', product: '{product}' }).replaceAll('.', '\\.')
      const parts = file.replace(/\{(\w+)\}/g, (_, id: string) => `(?<${id}>${IDS[id] ?? '[^/]+'})`)
      return [kind, new RegExp(`^${parts}$`)]
    })
}
