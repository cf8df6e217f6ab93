/** What Cloudflare's API answers about versions and uploads. */
import { randomUUID } from 'node:crypto'

export interface FakeVersion {
  readonly id: string
  readonly tag: string
  readonly message: string
  readonly created: string
  /** Path to hash. */
  readonly files: ReadonlyMap<string, string>
}

/** As the API lists a version. */
export function describeVersion({ id, tag, message, created }: FakeVersion): object {
  return {
    id,
    metadata: { created_on: created, author_email: 'ana@example.com', source: 'wrangler' },
    annotations: { 'workers/tag': tag, 'workers/message': message },
    resources: { bindings: [], script: {}, script_runtime: {} },
  }
}

/** The tool decodes the token and reads its expiry. */
export function createToken(): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [encode({ alg: 'none' }), encode({ exp: 4_000_000_000, id: randomUUID() }), 'signature'].join('.')
}
