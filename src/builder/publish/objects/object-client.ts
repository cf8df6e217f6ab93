/** The calls about objects, over the coordinator's signed client. */
import { gzipSync } from 'node:zlib'
import { array, literal, nullable, number, object, picklist, string, variant } from 'valibot'
import type { GenericSchema } from 'valibot'
import type {
  FilesCall,
  LiveAnswer,
  PushAnswer,
  PushBatch,
  TagsAnswer,
  TagsCall,
} from '../../../domain/wire/object-calls.ts'
import type { CoordinatorClient } from '../coordinator-client.ts'
import { CallError } from '../coordinator-client.ts'

export interface ObjectClient {
  readTags(call: TagsCall): Promise<TagsAnswer>
  push(batch: PushBatch): Promise<PushAnswer>
  /** Returns the paths of files that the store lacks. */
  findMissing(paths: readonly string[]): Promise<readonly string[]>
  storeFiles(files: FilesCall['files']): Promise<void>
  /** Returns `null` if the answering Worker consists of other code. */
  goLive(code: string): Promise<LiveAnswer | null>
  /** Bytes of the bodies of `push` and `files` until now. */
  countBytes(): number
}

const CODE_STATE = object({ code: string(), intake: string(), format: number() })
const TAG = object({
  name: string(),
  tag: nullable(string()),
  version: number(),
  digest: nullable(string()),
  intake: nullable(string()),
})
const TAGS = object({ worker: CODE_STATE, objects: array(TAG), next: nullable(string()) })
const UNSTORED = { name: string(), reason: string() }
const PUSHED = object({
  results: array(
    variant('outcome', [
      object({ name: string(), outcome: literal('stored'), tag: string(), version: number() }),
      object({ name: string(), outcome: literal('beaten') }),
      object({ ...UNSTORED, outcome: literal('refused') }),
      object({ ...UNSTORED, outcome: literal('failed') }),
    ]),
  ),
})
const MISSING = object({ missing: array(string()) })
const STORED = object({ stored: number() })
const LIVE = object({ refill: picklist(['started', 'running', 'done']) })

/** What these statuses mean for calls about objects. */
const REFUSALS: Readonly<Record<number, string>> = {
  404: 'the site has no objects yet: npm run deploy -- --setup publishes the Worker of HOSTING=objects',
  422: 'the Worker of the site takes data of another format: npm run deploy publishes that of this code',
}

/** Each call is retried like all calls to the coordinator. Throws a `CallError`. */
export function createObjectClient({ ask }: Pick<CoordinatorClient, 'ask'>): ObjectClient {
  let bytes = 0
  const call = async <Answer>(
    schema: GenericSchema<unknown, Answer>,
    path: string,
    body: object,
  ): Promise<Answer> => {
    const answer = await ask(schema, path, body).catch(explainRefusal)
    if (answer === null) throw new Error(`the site answered ${path} with the end of a lease`)
    return answer
  }
  const count = <Body extends object>(body: Body): Body => {
    bytes += JSON.stringify(body).length
    return body
  }
  return {
    readTags: (body) => call(TAGS, '/tags', body),
    push: (batch) => call(PUSHED, '/push', count({ gzip: encodeBatch(batch) })),
    findMissing: async (paths) => (await call(MISSING, '/missing', { paths })).missing,
    storeFiles: async (files) => {
      await call(STORED, '/files', count({ files }))
    },
    goLive: (code) => ask(LIVE, '/live', { code }),
    countBytes: () => bytes,
  }
}

/** Returns the base64 of the compressed batch. */
export function encodeBatch(batch: PushBatch): string {
  return gzipSync(JSON.stringify(batch)).toString('base64')
}

function explainRefusal(error: unknown): never {
  if (!(error instanceof CallError)) throw error
  const reason = REFUSALS[error.status]
  throw reason === undefined ? error : new CallError(`${reason} (${error.message})`, error.status)
}
