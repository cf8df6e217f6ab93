/**
 * Plays Firestore's REST API behind Google's authentication: accepts only tokens that the service account has signed,
 * and can deny the right to read.
 */
import type { KeyObject } from 'node:crypto'
import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { jwtVerify } from 'jose'
import { LocalServer } from '../local/local-server.ts'

/** The audience (`aud`) that a self-signed token must name. Source: https://google.aip.dev/auth/4111 */
const AUDIENCE = 'https://firestore.googleapis.com/'
const EMAIL = 'reader@demo-vitrina.iam.gserviceaccount.com'

type Refusal = readonly [code: number, status: string, message: string]

const NO_RIGHT: Refusal = [403, 'PERMISSION_DENIED', 'Missing or insufficient permissions.']
const NO_TOKEN: Refusal = [401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.']

export class FakeGoogle {
  readonly #emulator: string
  readonly #server = new LocalServer((request, response) => this.#answer(request, response))
  #key = createKey()
  /** True if the service account has the right to read documents. */
  isAllowed = true
  /** Number of all calls, including refused ones. */
  calls = 0
  /** Number of calls that were passed on to the emulator. */
  reads = 0

  /** `emulator` is the `host:port` of the emulator that has the documents. */
  constructor(emulator: string) {
    this.#emulator = emulator
  }

  async start(): Promise<void> {
    await this.#server.start()
  }

  stop(): void {
    this.#server.close()
  }

  get origin(): string {
    return this.#server.origin
  }

  /** Content of the service account's key file. A file from Google's console has more fields. */
  get keyFile(): string {
    const { privateKey: private_key } = this.#key
    return `${JSON.stringify({ type: 'service_account', private_key, client_email: EMAIL }, null, 2)}\n`
  }

  /** Replaces the service account's key. Tokens that were signed with the previous key are then refused. */
  replaceKey(): void {
    this.#key = createKey()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.calls += 1
    const body = await buffer(request)
    const refusal = await this.#judge(request.headers.authorization)
    response.setHeader('content-type', 'application/json; charset=UTF-8')
    if (refusal !== null) {
      const [code, status, message] = refusal
      return void response.writeHead(code).end(JSON.stringify([{ error: { code, message, status } }]))
    }
    this.reads += 1
    const answer = await fetch(`http://${this.#emulator}${request.url}`, {
      method: request.method ?? 'POST',
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      body: new Uint8Array(body),
    })
    response.writeHead(answer.status).end(await answer.text())
  }

  async #judge(authorization = ''): Promise<Refusal | null> {
    const { publicKey } = this.#key
    const expected = { algorithms: ['RS256'], audience: AUDIENCE, issuer: EMAIL, subject: EMAIL }
    const isSigned = await jwtVerify(authorization.replace(/^Bearer /, ''), publicKey, expected).then(
      () => true,
      () => false,
    )
    if (!isSigned) return NO_TOKEN
    return this.isAllowed ? null : NO_RIGHT
  }
}

function createKey(): { readonly publicKey: KeyObject; readonly privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { publicKey, privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) }
}
