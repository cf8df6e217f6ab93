/** The Worker of the search bench. A GET searches and a POST updates sellers; there are no pages. */
import type { Namespace } from 'cloudflare:workers'
import type { SearchIndex, SellerUpdate } from '../../../src/domain/search/search-index.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { formatShardName, joinShards } from '../../../src/edge/search/join-shards.ts'

export { SearchShard } from '../../../src/edge/search/search-shard.ts'

interface Environment {
  readonly SEARCH: Namespace<SearchIndex>
}

export default {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    const index = openIndex(environment)
    if (request.method === 'POST') {
      const updates = (await request.json()) as readonly SellerUpdate[]
      const { tags } = await index.see(updates.map(({ seller }) => seller))
      return Response.json(await index.update(updates.map((one, at) => ({ ...one, seen: tags[at] ?? '' }))))
    }
    return Response.json(await index.search(new URL(request.url).searchParams.get('q') ?? ''))
  },
}

function openIndex({ SEARCH }: Environment): JoinedIndex {
  const shards = [SEARCH.getByName(formatShardName(1, 0))]
  return joinShards({ shards, log: (line) => console.error(line) })
}
