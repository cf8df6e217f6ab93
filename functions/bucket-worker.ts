/** The Worker's entry for a site in a bucket. It serves every file, searches, and takes the calls of a builder. */
import type { Namespace, RateLimit } from 'cloudflare:workers'
import { parseFileCall } from '../src/domain/wire/file-calls.ts'
import { createFileServer } from '../src/edge/files/answer-file.ts'
import type { Bucket } from '../src/edge/files/bucket.ts'
import { createFilesApi } from '../src/edge/files/files-api.ts'
import { answerSearch, isSearch } from '../src/edge/search/answer-search.ts'
import { createBucketSearch } from '../src/edge/search/bucket-search.ts'
import { createSearchLimit } from '../src/edge/search/search-limit.ts'

interface LeaseHolder {
  /** Returns whether the builder with this token holds the lease now. */
  isHolder(token: string): Promise<boolean>
}

interface BucketEnvironment {
  readonly COORDINATOR: Namespace<LeaseHolder>
  readonly FILES: Bucket
  readonly SEARCH_LIMIT: RateLimit
}

const log = (line: string): void => console.error(line)
const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

// All requests of this isolate share these objects.
const answerFile = createFileServer({ now: Date.now, log })
const answerFileCall = createFilesApi({ now: Date.now, log })
const openSearch = createBucketSearch({ now: Date.now, wait, log })

export default {
  async fetch(request: Request, { COORDINATOR, FILES, SEARCH_LIMIT }: BucketEnvironment): Promise<Response> {
    if (parseFileCall(new URL(request.url).pathname) !== null)
      return answerFileCall(request, {
        bucket: FILES,
        isHolder: (token) => COORDINATOR.getByName('site').isHolder(token),
      })
    if (!isSearch(request)) return answerFile(request, FILES)
    return answerSearch(request, {
      assets: { fetch: (one) => answerFile(one, FILES) },
      ...(await openSearch(FILES)),
      isAllowed: createSearchLimit(SEARCH_LIMIT),
      wait,
      log,
    })
  },
}
