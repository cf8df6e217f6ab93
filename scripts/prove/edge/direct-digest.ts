/** Digests without the thread pool, whose round trips would take most of the time of stories in memory. */
import { createHash } from 'node:crypto'

/** Replaces the digest of Web Crypto in this process. Only SHA-256 is asked for. */
export function useDirectDigest(): void {
  const digest = async (name: AlgorithmIdentifier, data: BufferSource): Promise<ArrayBuffer> => {
    if (name !== 'SHA-256') throw new Error(`no story needs ${JSON.stringify(name)}`)
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data)
    return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer
  }
  Object.defineProperty(crypto.subtle, 'digest', { value: digest, configurable: true })
}
