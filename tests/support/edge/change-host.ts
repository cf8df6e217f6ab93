/** The host of the consumer of changes, in memory, with a source whose documents are set by the test. */
import { DEFAULT_MAX_PRODUCTS } from '../../../src/domain/catalogue/product-limit.ts'
import type { MessageBatch, QueueMessage } from 'cloudflare:workers'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { readField } from '../../../src/domain/documents/document.ts'
import { formatObjectKey } from '../../../src/domain/objects/object-key.ts'
import type { ChangeMessage, SettledChange } from '../../../src/edge/coordinator/change-ledger.ts'
import type { ChangeHost } from '../../../src/edge/intake/change-host.ts'
import type { SellerRead, SellerSource } from '../../../src/edge/intake/seller-source.ts'
import type { PageObject } from '../../../src/edge/objects/page-object.ts'
import { parsePageObject } from '../../../src/edge/objects/page-object.ts'
import { createEdgeRenderer } from './edge-renderer.ts'
import type { MemoryHost } from './object-host.ts'
import { createMemoryHost } from './object-host.ts'

interface MemorySellers extends SellerSource {
  readonly documents: SourceDocument[]
  /** The sellers who were read, in order. */
  readonly reads: string[]
  /** Called before a read. Its result, unless `null`, replaces the answer. */
  before: (seller: string) => Promise<SellerRead | null>
}

export interface MemoryChangeHost extends Omit<MemoryHost, 'ledger'>, ChangeHost {
  readonly source: MemorySellers
  readonly ledger: MemoryHost['ledger'] & ChangeHost['ledger']
  readonly settled: SettledChange[]
  /** Sellers who were noticed. */
  readonly noticed: string[]
}

export function createChangeHost(renderer = createEdgeRenderer()): MemoryChangeHost {
  const host = createMemoryHost(renderer)
  const settled: SettledChange[] = []
  const noticed: string[] = []
  const settleChanges = async (changes: readonly SettledChange[]): Promise<void> =>
    void settled.push(...changes)
  return {
    ...host,
    settled,
    noticed,
    ledger: {
      ...host.ledger,
      takeChanges: async (messages) => [...new Map(messages.map((one) => [one.name, one])).values()],
      settleChanges,
      noticeChanges: async (sellers) => void noticed.push(...sellers),
    },
    source: createMemorySellers(),
    intake: {
      intake: 'intake of the Worker',
      maxProducts: DEFAULT_MAX_PRODUCTS,
      publicFiles: [],
      pictures: { mode: 'off', hosts: { names: [], origins: [] }, makesPreviews: true },
    },
  }
}

function createMemorySellers(): MemorySellers {
  const documents: SourceDocument[] = []
  const reads: string[] = []
  const source: MemorySellers = {
    documents,
    reads,
    before: async () => null,
    readSeller: async (seller, known) => {
      reads.push(seller)
      const answer = await source.before(seller)
      if (answer !== null) return answer
      const own = documents.filter((one) => findOwner(one) === seller)
      const others = documents.filter((one) => one.collection === 'cataloge' && !own.includes(one))
      return {
        kind: 'read',
        documents: own,
        elsewhere: others.filter(({ id }) => known.includes(id)),
      }
    },
  }
  return source
}

function findOwner({ collection, id, data }: SourceDocument): unknown {
  return collection === 'users' ? id : readField(readField(data, 'owner'), 'id')
}

export interface SentMessage extends QueueMessage<ChangeMessage> {
  /** Last word of the consumer about the message. */
  end: 'none' | 'acknowledged' | 'again'
}

/** `upTo` is numbered by the messages' order. */
export function createBatch(
  names: readonly string[],
  attempts = 1,
): Omit<MessageBatch<ChangeMessage>, 'messages'> & { readonly messages: readonly SentMessage[] } {
  const messages = names.map((name, index): SentMessage => {
    const message: SentMessage = {
      body: { name, upTo: index + 1, sentAt: 0 },
      attempts,
      end: 'none',
      ack: () => void (message.end = 'acknowledged'),
      retry: () => void (message.end = 'again'),
    }
    return message
  })
  return { queue: 'vitrina-changes', messages }
}

/** Returns `null` if there is no object. */
export async function readHostObject(
  { objects }: MemoryChangeHost,
  name: string,
): Promise<PageObject | null> {
  const stored = objects.get(await formatObjectKey(name))
  return stored === undefined ? null : parsePageObject(stored.bytes)
}
