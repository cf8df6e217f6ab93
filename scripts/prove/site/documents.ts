/** The documents of a source as plain values, and the parts of them that a site must show. */
import type { Collection } from '../../../src/domain/documents/document.ts'
import { COLLECTIONS } from '../../../src/domain/documents/document.ts'
import { formatCanonicalJson } from '../../../src/domain/documents/json.ts'
import type { Entry } from '../../../src/domain/documents/parse-document.ts'
import { parseDocument } from '../../../src/domain/documents/parse-document.ts'

export interface Doc {
  readonly collection: Collection
  readonly id: string
  readonly updateTime: string
  /** The document's data as JSON; a key may occur twice. */
  readonly text: string
}

/** Documents by `collection/id`, in the order in which they are written to a source folder. */
export type Documents = ReadonlyMap<string, Doc>

export type SourceKind = 'embedded' | 'folder'

export const FIRST_TIME = '2026-01-01T00:00:00.000Z'

export function formatKey({ collection, id }: Pick<Doc, 'collection' | 'id'>): string {
  return `${collection}/${id}`
}

export function putDocument(documents: Documents, doc: Doc): Documents {
  return new Map(documents).set(formatKey(doc), doc)
}

export function dropDocuments(documents: Documents, isDropped: (doc: Doc) => boolean): Documents {
  return new Map([...documents].filter(([, doc]) => !isDropped(doc)))
}

/** The part of one document that a page shows. */
export interface Shown {
  readonly seller: string
  readonly value: string
}

export function readShown(doc: Doc, kind: SourceKind): Shown | null {
  if (kind === 'embedded' && isAmbiguous(doc)) return null
  const { collection, id, updateTime, text } = doc
  const entry = parseDocument({ collection, id, updateTime, data: JSON.parse(text) }, () => {})
  return entry === null ? null : { seller: entry.seller, value: formatEntry(entry) }
}

/** The difference between the pages of two states of the documents. */
export interface ShownChanges {
  readonly sellers: ReadonlySet<string>
  /** Keys of the documents that changed what a page shows. */
  readonly documents: ReadonlySet<string>
}

export function findShownChanges(before: Documents, after: Documents, kind: SourceKind): ShownChanges {
  const keys = new Set([...before.keys(), ...after.keys()])
  const sellers = new Set<string>()
  const documents = new Set<string>()
  for (const key of keys) {
    const [old, now] = [before, after].map((all) => {
      const doc = all.get(key)
      return doc === undefined ? null : readShown(doc, kind)
    })
    if (old?.seller === now?.seller && old?.value === now?.value) continue
    documents.add(key)
    for (const shown of [old, now]) if (shown) sellers.add(shown.seller)
  }
  return { sellers, documents }
}

/**
 * Returns the documents known after a read of only `sellers`: updates the documents that belong to these sellers now,
 * or belonged to them before.
 */
export function applySellers(
  known: Documents,
  now: Documents,
  sellers: readonly string[],
  read: (doc: Doc) => Shown | null,
): Documents {
  const isNamed = (doc: Doc | undefined): boolean =>
    doc !== undefined && sellers.includes(read(doc)?.seller ?? '')
  const result = new Map(known)
  for (const key of new Set([...known.keys(), ...now.keys()])) {
    const doc = now.get(key)
    if (!isNamed(known.get(key)) && !isNamed(doc)) continue
    if (doc === undefined) result.delete(key)
    else result.set(key, doc)
  }
  return result
}

/**
 * Returns whether a rebuild must refuse the change: no seller remains, or the change removes all sellers, profiles or
 * products, or more than 10 and more than 20 % of the sellers, of the profiles or of the products.
 */
export function isShrink(before: Documents, after: Documents, kind: SourceKind): boolean {
  const [old, now] = [readAllShown(before, kind), readAllShown(after, kind)]
  if (readSellers(now).size === 0) return true
  const isTooMuch = (had: Iterable<string>, has: { has(name: string): boolean }): boolean => {
    const all = [...had]
    const gone = all.filter((name) => !has.has(name)).length
    return (gone > 10 && gone > all.length * 0.2) || (gone > 0 && gone === all.length)
  }
  return (
    isTooMuch(readSellers(old), readSellers(now)) ||
    COLLECTIONS.some((name) =>
      isTooMuch(
        [...old.keys()].filter((key) => key.startsWith(`${name}/`)),
        now,
      ),
    )
  )
}

function readAllShown(documents: Documents, kind: SourceKind): ReadonlyMap<string, Shown> {
  const shown = [...documents].map(([key, doc]) => [key, readShown(doc, kind)] as const)
  return new Map(shown.filter((pair): pair is readonly [string, Shown] => pair[1] !== null))
}

function readSellers(shown: ReadonlyMap<string, Shown>): ReadonlySet<string> {
  return new Set([...shown.values()].map(({ seller }) => seller))
}

function formatEntry(entry: Entry): string {
  return formatCanonicalJson(entry.kind === 'profile' ? entry.profile : entry.product)
}

// Returns whether the JSON of the document names two different owners. SQL reads the first and JavaScript the last, so
// an embedded database rejects such a document.
export function isAmbiguous({ collection, text }: Doc): boolean {
  const owners = collection === 'cataloge' ? [...text.matchAll(/"owner":\{"id":("[^"]*")\}/g)] : []
  return owners.length > 1 && owners[0]?.[1] !== owners.at(-1)?.[1]
}
