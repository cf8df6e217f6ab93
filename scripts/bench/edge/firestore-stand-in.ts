/**
 * Serves generated documents to the Worker over Firestore's REST API. The Firestore emulator is not used, because it
 * would be the slowest part of the bench.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { isRecord } from '../../../src/domain/documents/json.ts'
import { readField } from '../../../src/domain/documents/document.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { LocalServer } from '../../local/local-server.ts'
import { listDocuments } from './made-objects.ts'

export interface FirestoreStandIn {
  /** `host:port` */
  readonly host: string
  readonly project: string
  /** Sets the price of the seller's first product. The first call for a seller adds the seller. */
  setPrice(seller: number, price: number): void
  /** Returns the number of reads of sellers so far. */
  countReads(): number
  close(): void
}

const PROJECT = 'demo-bench'
const ROOT = `projects/${PROJECT}/databases/(default)/documents`

type Documents = ReadonlyMap<string, SourceDocument>

export async function startFirestore(): Promise<FirestoreStandIn> {
  const sellers = new Map<string, Documents>()
  let reads = 0
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await json(request)
    const isQuery = request.url?.endsWith(':runQuery') === true
    reads += isQuery ? 1 : 0
    const found = isQuery ? query(call, sellers) : lookUp(call, sellers)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found))
  }
  const server = await new LocalServer(answer).start()
  return {
    host: server.host,
    project: PROJECT,
    setPrice: (seller, price) => {
      const { id, documents } = listDocuments(seller, price)
      sellers.set(id, new Map(documents.map((document) => [formatName(document), document])))
    },
    countReads: () => reads,
    close: () => server.close(),
  }
}

type Sellers = ReadonlyMap<string, Documents>

function query(call: unknown, sellers: Sellers): readonly object[] {
  const filter = readField(readField(readField(call, 'structuredQuery'), 'where'), 'fieldFilter')
  const seller = String(readField(readField(filter, 'value'), 'stringValue'))
  const products = [...(sellers.get(seller)?.values() ?? [])].filter(
    ({ collection }) => collection === 'cataloge',
  )
  const readTime = new Date().toISOString()
  const begun = { transaction: 'AAAA', readTime }
  return [begun, ...products.map((document) => ({ document: formatDocument(document), readTime }))]
}

function lookUp(call: unknown, sellers: Sellers): readonly object[] {
  const names = readField(call, 'documents') as readonly string[]
  const readTime = new Date().toISOString()
  return names.map((name) => {
    const [collection, id = ''] = name.slice(ROOT.length + 1).split('/')
    const found = collection === 'users' ? sellers.get(id)?.get(name) : undefined
    return found === undefined ? { missing: name, readTime } : { found: formatDocument(found), readTime }
  })
}

function formatDocument(document: SourceDocument): object {
  const { updateTime: time, data } = document
  return { name: formatName(document), fields: formatFields(data), createTime: time, updateTime: time }
}

function formatName({ collection, id }: SourceDocument): string {
  return `${ROOT}/${collection}/${id}`
}

function formatFields(data: unknown): object {
  return Object.fromEntries(Object.entries(data as object).map(([key, value]) => [key, formatValue(value)]))
}

function formatValue(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { booleanValue: value }
  if (isRecord(value)) return { mapValue: { fields: formatFields(value) } }
  return Number.isInteger(value) ? { integerValue: String(value) } : { doubleValue: value }
}
