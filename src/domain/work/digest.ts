/** Computes SHA-256 with Web Crypto, which builders and the Worker both have. */

export async function hashText(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

/** Returns SHA-256 of the text in hex. */
export async function digestText(text: string): Promise<string> {
  const bytes = await hashText(text)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
