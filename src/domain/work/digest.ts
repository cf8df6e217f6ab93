/** Computes SHA-256 with Web Crypto, which builders and the Worker both have. */

export async function hashText(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
