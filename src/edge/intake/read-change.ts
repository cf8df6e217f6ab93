/**
 * Reads a changed seller: first the object, then the documents, so that a put never replaces newer data with older
 * data.
 */
import type { SellerData } from '../../domain/objects/object-data.ts'
import { FORMAT } from '../../domain/objects/object-data.ts'
import { formatObjectKey } from '../../domain/objects/object-key.ts'
import type { ChangeOutcome } from '../coordinator/change-ledger.ts'
import type { StoredObject } from '../objects/object-store.ts'
import { parsePageObject } from '../objects/page-object.ts'
import type { WantedObject } from '../objects/put-objects.ts'
import { findNextVersion } from '../objects/object-notes.ts'
import type { ChangeHost } from './change-host.ts'
import { createReadOutcome, createStoreTrouble } from './change-outcomes.ts'
import type { DataBase } from './create-object-data.ts'
import { createSellerObject, findOtherSellers } from './create-object-data.ts'
import type { TakeTurn } from './take-turns.ts'

export type ReadChange =
  | {
      readonly kind: 'read'
      readonly object: WantedObject
      /** Sellers who now have products that this seller had. */
      readonly moved: readonly string[]
    }
  /** Nothing is put. `outcome` says why. */
  | { readonly kind: 'ended'; readonly outcome: ChangeOutcome }

export async function readChange(name: string, host: ChangeHost, takeTurn: TakeTurn): Promise<ReadChange> {
  const key = await formatObjectKey(name)
  let stored: StoredObject | null
  try {
    stored = await host.store.get(key)
  } catch (error) {
    return { kind: 'ended', outcome: createStoreTrouble(error) }
  }
  try {
    const old = readOld(stored)
    if (old === 'newer') return { kind: 'ended', outcome: NEWER }
    const base = { facts: host.intake, old }
    const read = await takeTurn(old, () => readSeller(name, base, host))
    if ('kind' in read) return { kind: 'ended', outcome: read }
    if (stored === null && read.data === null) return { kind: 'ended', outcome: { kind: 'absent' } }
    const seen = stored?.tag ?? null
    const object = { name, key, seen, version: findNextVersion(stored, Date.now()), data: read.data }
    return { kind: 'read', object, moved: read.moved }
  } catch (error) {
    return { kind: 'ended', outcome: createReadOutcome(error) }
  }
}

const NEWER: ChangeOutcome = {
  kind: 'failed',
  reason:
    'the object was written by a newer version of the Worker, and this older version does not replace it: the change is retried until the newer version runs everywhere',
}

interface ReadData {
  /** `null`: the seller does not exist. */
  readonly data: SellerData | null
  readonly moved: readonly string[]
}

async function readSeller(
  seller: string,
  base: DataBase,
  { source }: ChangeHost,
): Promise<ReadData | ChangeOutcome> {
  const read = await source.readSeller(seller, listProducts(base.old))
  if (read.kind === 'large') return read
  return {
    data: createSellerObject(seller, read.documents, base),
    moved: findOtherSellers(seller, read.elsewhere),
  }
}

/**
 * Returns the old data, or `newer` for a newer format. Returns `null` if there is no data, if the first line is
 * damaged, or if the format is older: the put then replaces all of it. Throws if the data itself is damaged.
 */
function readOld(stored: StoredObject | null): SellerData | 'newer' | null {
  const page = stored === null ? null : parse(stored)
  if (page === null || page.kind === 'gone' || page.format < FORMAT) return null
  return page.format > FORMAT ? 'newer' : page.readData()
}

function parse({ bytes }: StoredObject): ReturnType<typeof parsePageObject> | null {
  try {
    return parsePageObject(bytes)
  } catch {
    return null
  }
}

function listProducts(old: SellerData | null): readonly string[] {
  return old?.catalogue.products.map(({ id }) => id) ?? []
}
