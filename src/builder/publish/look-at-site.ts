/** Fetches pages of the live site and compares their bytes with the published files. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMessage } from '../../domain/documents/errors.ts'
import { lookAgain } from '../../domain/work/try-again.ts'
import { hashBytes } from '../state/manifest.ts'

export interface LookOptions {
  readonly url: string
  readonly folder: string
  /** Files of the site, relative to `folder`. */
  readonly paths: readonly string[]
  /** Pauses between tries, in milliseconds. */
  readonly pauses: readonly number[]
}

const TIMEOUT = 10_000

/** Returns the first difference in words, or `null`. */
export async function lookAtSite({ url, folder, paths, pauses }: LookOptions): Promise<string | null> {
  for (const path of paths) {
    const expected = hashBytes(readFileSync(join(folder, path)))
    const problem = await lookAgain(() => look(formatAddress(url, path), expected), {
      isDone: (found) => found === null,
      pauses,
    })
    if (problem !== null) return problem
  }
  return null
}

/** Addresses of pages have no `.html`. */
export function formatAddress(url: string, path: string): string {
  const short = path === 'index.html' ? '' : path.replace(/\.html$/, '')
  return `${url}/${short.split('/').map(encodeURIComponent).join('/')}`
}

async function look(address: string, expected: string): Promise<string | null> {
  try {
    const response = await fetch(address, {
      headers: { 'cache-control': 'no-cache' },
      signal: AbortSignal.timeout(TIMEOUT),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (response.status !== 200) return `${address} answers ${response.status}`
    return hashBytes(bytes) === expected ? null : `${address} answers with other bytes than were published`
  } catch (error) {
    const reason = readMessage(error instanceof Error && error.cause instanceof Error ? error.cause : error)
    return `${address} cannot be reached: ${reason}`
  }
}
