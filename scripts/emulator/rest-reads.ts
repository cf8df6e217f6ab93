/**
 * Implements the read methods of Firestore's REST API that the Worker uses. Requests for other features are refused.
 */
import type { FirestoreState, FirestoreStateDocument } from '@firestore-emulator/server'
import { parse } from 'valibot'
import { isDocumentId } from '../../src/domain/documents/firestore-documents.ts'
import type { Version, Versions, TransactionView } from './firestore-versions.ts'
import { findOwner, findVersions, PRESENT, readVersion } from './firestore-versions.ts'
import { formatFields } from './rest-fields.ts'
import { BATCH_GET, BEGIN, ROLLBACK, RUN_QUERY } from './rest-requests.ts'

/** An error response of Firestore's REST API. `code` is the HTTP status, `status` the name of the error. */
export class RestRefusal extends Error {
  readonly code: number
  readonly status: string

  constructor(code: number, status: string, message: string) {
    super(message)
    this.code = code
    this.status = status
  }
}

interface EmulatedPlace {
  readonly state: FirestoreState
  /** `projects/{}/databases/{}/documents` */
  readonly root: string
  readonly versions: Versions
}

export function openRestPlace(state: FirestoreState, project: string, database: string): EmulatedPlace {
  const found = state.getProject(project).getDatabase(database)
  return { state, root: found.getPath(), versions: findVersions(found) }
}

type Method = (place: EmulatedPlace, body: unknown) => unknown

export const METHODS: Readonly<Record<string, Method>> = {
  beginTransaction: ({ versions }, body) => {
    parse(BEGIN, body)
    return { transaction: versions.begin() }
  },
  rollback: ({ versions }, body) => {
    versions.end(parse(ROLLBACK, body).transaction)
    return {}
  },
  // Returns documents in reverse order, so that callers cannot rely on an order that Firestore does not promise.
  batchGet: (place, body) => {
    const { documents, mask, ...consistency } = parse(BATCH_GET, body)
    const { opened, view } = chooseView(place, consistency)
    const readTime = new Date().toISOString()
    const results = [...new Set(documents)].toReversed().map((name) => {
      const document = findDocument(place, name)
      const version = readVersion(document, view)
      if (version === null) return { missing: name, readTime }
      return { found: formatDocument(name, version, mask?.fieldPaths), readTime }
    })
    return [...opened, ...results]
  },
  runQuery: (place, body) => {
    const { structuredQuery, ...consistency } = parse(RUN_QUERY, body)
    const { opened, view } = chooseView(place, consistency)
    const readTime = new Date().toISOString()
    const fields = structuredQuery.select?.fields.map(({ fieldPath }) => fieldPath)
    const found = runQuery(place, structuredQuery, view).map(({ name, version }) => ({
      document: formatDocument(name, version, fields),
      readTime,
    }))
    return [...opened, ...(found.length === 0 ? [{ readTime }] : found)]
  },
}

interface Consistency {
  readonly transaction?: string
  readonly newTransaction?: object
}

function chooseView(
  { versions }: EmulatedPlace,
  { transaction, newTransaction }: Consistency,
): { readonly opened: readonly object[]; readonly view: TransactionView } {
  if (newTransaction !== undefined) return { opened: [{ transaction: versions.begin() }], view: PRESENT }
  if (transaction === undefined) return { opened: [], view: PRESENT }
  const view = versions.find(transaction)
  if (view !== null) return { opened: [], view }
  throw refuse('The referenced transaction has expired or is no longer valid.')
}

interface Found {
  readonly name: string
  readonly version: NonNullable<Version>
}

interface Query {
  readonly from: readonly [{ readonly collectionId: string }]
  readonly where?: { readonly fieldFilter: { readonly value: { readonly stringValue: string } } }
  readonly startAt?: {
    readonly values: readonly [{ readonly referenceValue: string }]
    readonly before: boolean
  }
  readonly limit?: number
}

function runQuery(place: EmulatedPlace, query: Query, view: TransactionView): readonly Found[] {
  const collection = place.state.getCollection(`${place.root}/${query.from[0].collectionId}`)
  const owner = query.where?.fieldFilter.value.stringValue
  if (owner?.isWellFormed() === false) throw refuse('The query contains text that is not valid UTF-8.')
  const candidates: Iterable<FirestoreStateDocument> =
    owner === undefined ? collection.getAllDocuments() : place.versions.findOwned(owner, view)
  const found: Found[] = []
  for (const document of candidates) {
    const version = document.parent === collection ? readVersion(document, view) : null
    if (version !== null && (owner === undefined || findOwner(version) === owner))
      found.push({ name: document.getPath(), version })
  }
  return cutPage(found.sort(compareNames), query)
}

// Compares the UTF-8 bytes of names, as Firestore does; JavaScript compares strings by UTF-16 code units.
function compareNames(a: { readonly name: string }, b: { readonly name: string }): number {
  return Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))
}

function cutPage(found: readonly Found[], { startAt, limit }: Query): readonly Found[] {
  const begun = found.filter((one) => {
    if (startAt === undefined) return true
    const order = compareNames(one, { name: startAt.values[0].referenceValue })
    return startAt.before ? order >= 0 : order > 0
  })
  return begun.slice(0, limit)
}

function findDocument({ state, root }: EmulatedPlace, name: string): FirestoreStateDocument {
  const [collection = '', id = '', ...rest] = name.startsWith(`${root}/`)
    ? name.slice(root.length + 1).split('/')
    : []
  if (collection === '' || rest.length > 0 || !isDocumentId(id)) throw refuse('A document name is not valid.')
  return state.getCollection(`${root}/${collection}`).getDocument(id)
}

function formatDocument(name: string, version: NonNullable<Version>, fields?: readonly string[]): object {
  const entries = Object.entries(version.fields)
  const kept = fields === undefined ? entries : entries.filter(([field]) => fields.includes(field))
  return {
    name,
    fields: formatFields(Object.fromEntries(kept)),
    createTime: version.created.toISOString(),
    updateTime: version.updated.toISOString(),
  }
}

function refuse(message: string): RestRefusal {
  return new RestRefusal(400, 'INVALID_ARGUMENT', message)
}
