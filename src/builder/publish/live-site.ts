/** Reads the live site as a visitor gets it, past all caches: its marker, and its home page after a publish. */
import { randomUUID } from 'node:crypto'
import { readMessage } from '../../domain/documents/errors.ts'
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import { MARKER, parseMarker } from '../../domain/wire/site-marker.ts'
import { lookAgain } from '../../domain/work/try-again.ts'
import { PublishError } from './publish-error.ts'

const TIMEOUT = 10_000

/** Pauses between looks, 30 s in all, in milliseconds: a new version is not everywhere at once. */
const PAUSES: readonly number[] = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000]

/** Returns `null` if there is no site with a marker. Throws a `PublishError` if the address does not answer. */
export async function readLiveMarker(url: string): Promise<SiteMarker | null> {
  const { status, body } = await read(`${url}/${MARKER}`)
  if (status === 200) return parseMarker(new TextDecoder().decode(body))
  if (status === 404) return null
  throw new PublishError(`${url}/${MARKER} answers with status ${status}`)
}

interface Expected {
  readonly url: string
  readonly run: string
  /** Bytes of the home page. */
  readonly home: Uint8Array | null
  readonly pauses?: readonly number[]
}

/** Returns what differs from the site that was published; `null` if nothing does. */
export async function lookAtSite({ url, run, home, pauses = PAUSES }: Expected): Promise<string | null> {
  const look = async (): Promise<string | null> => {
    try {
      const live = await readLiveMarker(url)
      if (live?.run !== run || live.state !== 'closed')
        return `${url}/${MARKER} is of ${live === null ? 'no run' : `run ${live.run} (${live.state})`} instead of run ${run}`
      const { status, body } = await read(`${url}/`)
      if (status !== 200) return `${url}/ answers with status ${status} instead of 200`
      return home !== null && Buffer.compare(home, body) !== 0
        ? `${url}/ has other bytes than the home page that was published`
        : null
    } catch (error) {
      return readMessage(error)
    }
  }
  return lookAgain(look, { isDone: (found) => found === null, pauses })
}

async function read(address: string): Promise<{ readonly status: number; readonly body: Uint8Array }> {
  try {
    // No cache has an answer for a random query.
    const response = await fetch(`${address}?${randomUUID()}`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT),
    })
    return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new PublishError(`${address} cannot be reached: ${readMessage(cause)}`, { cause: error })
  }
}
