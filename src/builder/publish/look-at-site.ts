/** Checks the live site: its files must have the published bytes, and a resized photo must be an image. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMessage } from '../../domain/documents/errors.ts'
import { lookAgain } from '../../domain/work/try-again.ts'
import { hashBytes } from '../files/file-hashes.ts'

interface LookOptions {
  readonly url: string
  readonly folder: string
  /** Files of the site, relative to `folder`. */
  readonly paths: readonly string[]
  /** Pauses between tries, in milliseconds. */
  readonly pauses: readonly number[]
}

const TIMEOUT = 10_000

/** Returns a description of the first problem, such as a file with other bytes; `null` if there is none. */
export async function lookAtSite({ url, folder, paths, pauses }: LookOptions): Promise<string | null> {
  for (const path of paths) {
    const expected = hashBytes(readFileSync(join(folder, path)))
    const problem = await lookAgain(() => look(formatPageAddress(url, path), expected), {
      isDone: (found) => found === null,
      pauses,
    })
    if (problem !== null) return problem
  }
  return null
}

/** Returns the address of a file of the site. Addresses of pages have no `.html`. */
export function formatPageAddress(url: string, path: string): string {
  const short = path === 'index.html' ? '' : path.replace(/\.html$/, '')
  return `${url}/${short.split('/').map(encodeURIComponent).join('/')}`
}

/** Returns `null` if the address serves a picture that Cloudflare has resized; otherwise describes the problem. */
export async function lookAtPicture(address: string): Promise<string | null> {
  // A redirect is not followed: it leads to the original photo, which was not resized.
  return ask(address, { redirect: 'manual' }, async ({ status, headers, body }) => {
    await body?.cancel()
    const type = headers.get('content-type') ?? 'nothing'
    if (status !== 200) return `${address} answers with status ${status} instead of 200`
    return type.startsWith('image/')
      ? null
      : `${address} has the content type ${type}, so it is not a picture`
  })
}

function look(address: string, expected: string): Promise<string | null> {
  // No cache has an answer for a random query.
  return ask(`${address}?${randomUUID()}`, { cache: 'no-store' }, async (response) => {
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (response.status !== 200) return `${address} answers with status ${response.status} instead of 200`
    return hashBytes(bytes) === expected ? null : `${address} does not serve the bytes that were published`
  })
}

async function ask(
  address: string,
  init: RequestInit,
  judge: (response: Response) => Promise<string | null>,
): Promise<string | null> {
  try {
    return await judge(await fetch(address, { ...init, signal: AbortSignal.timeout(TIMEOUT) }))
  } catch (error) {
    const reason = readMessage(error instanceof Error && error.cause instanceof Error ? error.cause : error)
    const { origin, pathname } = new URL(address)
    return `${origin}${pathname} cannot be reached: ${reason}`
  }
}
