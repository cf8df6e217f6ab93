/** The Worker's entry for a site in a bucket. It serves every file, searches, and takes the calls of a builder. */
import type { RateLimit } from 'cloudflare:workers'
import { parseFileCall } from '../src/domain/wire/file-calls.ts'
import { createFileServer } from '../src/edge/files/answer-file.ts'
import type { Bucket } from '../src/edge/files/bucket.ts'
import { createFilesApi } from '../src/edge/files/files-api.ts'
import { answerSearch, isSearch } from '../src/edge/search/answer-search.ts'
import { createBucketSearch } from '../src/edge/search/bucket-search.ts'
import { createSearchLimit } from '../src/edge/search/search-limit.ts'
import type { CoordinatedEnvironment } from './coordination.ts'
import { answerApi, log, openCoordinator, scheduled, wait } from './coordination.ts'

export { BuildCoordinator, RebuildCoordinator, SearchShard, SiteCoordinator } from './coordination.ts'

type BucketEnvironment = CoordinatedEnvironment & {
  readonly FILES: Bucket
  readonly SEARCH_LIMIT: RateLimit
}

// All requests of this isolate share these objects.
const answerFile = createFileServer({ now: Date.now, log })
const answerFileCall = createFilesApi({ now: Date.now, log })
const openSearch = createBucketSearch({ now: Date.now, wait, log })

export default {
  async fetch(request: Request, environment: BucketEnvironment): Promise<Response> {
    const { FILES, SEARCH_LIMIT } = environment
    const { pathname } = new URL(request.url)
    if (parseFileCall(pathname) !== null)
      return answerFileCall(request, {
        bucket: FILES,
        isHolder: (token) => openCoordinator(environment).isHolder(token),
      })
    if (pathname.startsWith('/api/')) return answerApi(request, environment)
    if (!isSearch(request)) return answerFile(request, FILES)
    return answerSearch(request, {
      assets: { fetch: (one) => answerFile(one, FILES) },
      ...(await openSearch(FILES)),
      isAllowed: createSearchLimit(SEARCH_LIMIT),
      wait,
      log,
    })
  },

  scheduled,
}
