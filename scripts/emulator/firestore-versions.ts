/**
 * Keeps earlier versions of documents that change during read-only transactions, so that the transactions see no
 * changes.
 */
import { randomBytes } from 'node:crypto'
import type { FirestoreStateDatabase } from '@firestore-emulator/server'
import { FirestoreStateDocument } from '@firestore-emulator/server'
import type { RestFields } from './rest-fields.ts'
import { findField } from './rest-fields.ts'

/** A version of a document; `null` if the document did not exist. */
export type Version = { readonly fields: RestFields; readonly created: Date; readonly updated: Date } | null

/**
 * Versions of the documents that changed since a transaction began, as the transaction sees them. It sees the current
 * version of all other documents.
 */
export type TransactionView = ReadonlyMap<FirestoreStateDocument, Version>

export const PRESENT: TransactionView = new Map()

/**
 * Max age of a transaction, in milliseconds.
 * Source: https://cloud.google.com/firestore/docs/transaction-data-contention
 */
const LIFETIME = 60_000

const OWNER = 'owner.id'

export class Versions {
  private readonly views = new Map<
    string,
    { readonly began: number; readonly seen: Map<Document, Version> }
  >()
  /**
   * Documents by owner. Without this index, a query for each seller's documents would scan all documents, which would
   * take longer than the work that is measured.
   */
  private readonly owned = new Map<string, Set<Document>>()

  /** Deletes expired transactions, begins a new one, and returns its id. */
  begin(): string {
    const now = performance.now()
    for (const [id, { began }] of this.views) if (now - began > LIFETIME) this.views.delete(id)
    const id = randomBytes(12).toString('base64')
    this.views.set(id, { began: now, seen: new Map() })
    return id
  }

  /** Returns `null` for a transaction that is not open. */
  find(id: string): TransactionView | null {
    return this.views.get(id)?.seen ?? null
  }

  end(id: string): void {
    this.views.delete(id)
  }

  /** Returns all documents that belong to the owner in `view`, and possibly others, so callers must check the owner. */
  findOwned(owner: string, view: TransactionView): Iterable<Document> {
    return new Set([...(this.owned.get(owner) ?? []), ...view.keys()])
  }

  note(document: Document, before: Version): void {
    for (const { seen } of this.views.values()) if (!seen.has(document)) seen.set(document, before)
    const [old, owner] = [findOwner(before), findOwner(readVersion(document))]
    if (old === owner) return
    if (old !== null) this.owned.get(old)?.delete(document)
    if (owner !== null) this.owned.set(owner, (this.owned.get(owner) ?? new Set()).add(document))
  }
}

type Document = FirestoreStateDocument

const known = new WeakMap<FirestoreStateDatabase, Versions>()

export function findVersions(database: FirestoreStateDatabase): Versions {
  const versions = known.get(database) ?? new Versions()
  known.set(database, versions)
  return versions
}

export function readVersion(document: Document, view: TransactionView = PRESENT): Version {
  if (view.has(document)) return view.get(document) ?? null
  const { hasExist, createdAt, updatedAt } = document.metadata
  return hasExist ? { fields: document['fields'], created: createdAt, updated: updatedAt } : null
}

/** Makes the emulator record the previous version at each change of a document. Call it before the first write. */
export function teachVersions(): void {
  const { prototype } = FirestoreStateDocument
  for (const name of ['create', 'update', 'set', 'delete'] as const) {
    const change = prototype[name] as (...options: readonly unknown[]) => void
    prototype[name] = function (this: Document, ...options: readonly unknown[]) {
      const before = readVersion(this)
      change.apply(this, [...options])
      findVersions(this.database).note(this, before)
    }
  }
}

export function findOwner(version: Version): string | null {
  const owner = version === null ? undefined : findField(version.fields, OWNER)
  return owner?.type === 'string_value' ? owner.value : null
}
