/** Unpacks what builders send inside JSON: base64, and compressed text within a limit. */

/** Returns `null` for text that is not base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text)
    const bytes = new Uint8Array(binary.length)
    for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index)
    return bytes
  } catch {
    return null
  }
}

/**
 * Returns the text, or a status: 413 for more than `limit` bytes, 400 for bytes that are not compressed UTF-8. Stops at the
 * limit, however much would follow.
 */
export async function unpackText(
  packed: Uint8Array<ArrayBuffer>,
  limit: number,
): Promise<string | 413 | 400> {
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
