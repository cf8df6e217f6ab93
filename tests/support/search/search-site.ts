/** The search index of a site in this process: the builder's client, the Worker's routes and the shards in memory. */
import type { Ask } from '../../../src/builder/publish/coordinator/call-methods.ts'
import { formatBody } from '../../../src/builder/publish/coordinator/call-methods.ts'
import { parseAnswer } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import type { SearchClient } from '../../../src/builder/publish/search/search-client.ts'
import { createSearchClient } from '../../../src/builder/publish/search/search-client.ts'
import { signMessage } from '../../../src/domain/wire/signature.ts'
import { createCallGuard } from '../../../src/edge/api/call-guard.ts'
import type { ApiOptions } from '../../../src/edge/api/routes.ts'
import { answerCall } from '../../../src/edge/api/routes.ts'
import type { ObjectStore } from '../../../src/edge/objects/object-store.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { createMemoryIndex } from './search-index.ts'

export interface SearchSite {
  /** Replaced by a change of the number of shards. */
  index: JoinedIndex
  readonly client: SearchClient
  /** The calls until now. */
  readonly calls: readonly SearchCall[]
  /** Called before each call. Throws to make it fail before it arrives. */
  before: (call: SearchCall) => void
  /** Called after each call. Throws to lose its answer. */
  after: (call: SearchCall) => void
  /** Sends a call again. */
  repeat(call: SearchCall): Promise<void>
}

interface SearchCall {
  /** Such as `/search/update`. */
  readonly path: string
  readonly text: string
}

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`

/** `store`: that of a site of objects. */
export function createSearchSite(shards = 1, store: Pick<ObjectStore, 'get'> | null = null): SearchSite {
  const calls: SearchCall[] = []
  const options: ApiOptions = {
    secrets: { notices: [], builders: [SECRET] },
    guard: createCallGuard(() => {}),
    openCoordinator: () => {
      throw new Error('unexpected call')
    },
    openSearch: () => ({ index: site.index, store }),
    log: () => {},
  }
  const send = ({ path, text }: SearchCall): Promise<Response> => {
    const headers = signMessage([SECRET], { id: 'call', body: text }, new Date())
    const request = new Request(`https://one.do/api/rebuild${path}`, { method: 'POST', headers, body: text })
    return answerCall(request, options)
  }
  const ask: Ask = async (asked, body) => {
    const call = { path: asked.path, text: formatBody(asked, body) }
    calls.push(call)
    site.before(call)
    const response = await send(call)
    const answer = { status: response.status, body: await response.json() }
    site.after(call)
    return parseAnswer(asked, answer, () => `${asked.path} was answered ${answer.status}`)
  }
  const site: SearchSite = {
    index: createMemoryIndex(shards),
    client: createSearchClient({ ask }),
    calls,
    before: () => {},
    after: () => {},
    repeat: async (call) => void (await send(call)),
  }
  return site
}
