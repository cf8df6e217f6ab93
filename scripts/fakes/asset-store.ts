/**
 * Stores the files that wrangler uploads to the stand-in for Cloudflare, by hash, and the sessions of these uploads.
 */
import { randomUUID } from 'node:crypto'

export interface AssetManifest {
  readonly [path: string]: { readonly hash: string; readonly size: number }
}

export class AssetStore {
  readonly #contents = new Map<string, Buffer>()
  readonly #sessions = new Map<string, ReadonlyMap<string, string>>()
  readonly #names = new Map<string, string>()
  /** Paths of the uploaded files since the list was last cleared. */
  readonly uploaded: string[] = []

  read(hash: string | undefined): Buffer | undefined {
    return this.#contents.get(hash ?? '')
  }

  /** Stores a file without an upload. Returns its hash. */
  keep(content: string): string {
    const hash = `hash of ${content}`
    this.#contents.set(hash, Buffer.from(content))
    return hash
  }

  openSession(manifest: AssetManifest): object {
    const files = new Map(Object.entries(manifest).map(([path, { hash }]) => [path, hash]))
    for (const [path, hash] of files) this.#names.set(hash, path)
    const token = createToken()
    this.#sessions.set(token, files)
    const missing = [...new Set(files.values())].filter((hash) => !this.#contents.has(hash))
    return { jwt: token, buckets: missing.length === 0 ? [] : [missing] }
  }

  /**
   * Returns the hash of each path in the session; empty if there is no such session, as for an upload without files.
   */
  findFiles(token: string): ReadonlyMap<string, string> {
    return this.#sessions.get(token) ?? new Map()
  }

  /**
   * Stores the files of an upload form. The name of each part is the hash of a file, and its content is the file in
   * base64.
   */
  async keepUpload(form: FormData, token: string): Promise<object> {
    for (const [hash, part] of form) {
      const content = typeof part === 'string' ? part : await part.text()
      this.#contents.set(hash, Buffer.from(content, 'base64'))
      this.uploaded.push(this.#names.get(hash) ?? hash)
    }
    return { jwt: token }
  }
}

/** Returns a token in the form of a JWT, because wrangler decodes it and reads its expiry. */
function createToken(): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [encode({ alg: 'none' }), encode({ exp: 4_000_000_000, id: randomUUID() }), 'signature'].join('.')
}
