/** SHA-256 in builders and in the Worker. */

export async function hashText(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

/** Returns SHA-256 of the text in hex. */
export async function digestText(text: string): Promise<string> {
  const bytes = await hashText(text)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
