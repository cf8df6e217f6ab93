/** Unpacks compressed bodies within a limit. */
import { decodeBase64 } from '../../domain/wire/call.ts'

/**
 * Returns the text, or a status: 413 for more than `limit` bytes, 400 for text that is not base64 of gzipped UTF-8.
 * Stops reading at the limit.
 */
export async function unpackText(gzip: string, limit: number): Promise<string | 413 | 400> {
  const packed = decodeBase64(gzip)
  if (packed === null) return 400
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  const reader = unpacked.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let size = 0
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      size += value.length
      if (size > limit) return 413
      text += decoder.decode(value, { stream: true })
    }
  } catch {
    return 400
  } finally {
    reader.cancel().catch(() => {})
  }
}
