/**
 * Plays the builder in the webhook bench: claims builds and records which changes each build would have read, without
 * building.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { CoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { LocalServer } from '../../local/local-server.ts'

export interface WebhookTargetCount {
  /** Number of sellers whose last change was read by no build. */
  readonly lost: number
  readonly builds: number
  readonly mostRunning: number
  readonly mostWaiting: number
}

interface WebhookTarget {
  readonly url: string
  open(client: CoordinatorClient): Promise<void>
  change(this: void, seller: string): void
  count(): WebhookTargetCount
  close(): void
}

const BUILD_TIME = 300

export async function startWebhookTarget(): Promise<WebhookTarget> {
  const source = new Map<string, number>()
  const served = new Map<string, number>()
  const tally = { builds: 0, running: 0, waiting: 0, mostRunning: 0, mostWaiting: 0 }
  let have = 0
  let coordinator: CoordinatorClient | null = null
  const build = async (client: CoordinatorClient): Promise<void> => {
    const claimed = await client.claim('bench', have)
    tally.waiting -= 1
    if (claimed === null) return
    tally.builds += 1
    tally.running += 1
    tally.mostRunning = Math.max(tally.mostRunning, tally.running)
    const sellers = 'sellers' in claimed ? claimed.sellers : [...source.keys()]
    for (const seller of sellers) served.set(seller, source.get(seller) ?? 0)
    await wait(BUILD_TIME)
    tally.running -= 1
    have = claimed.upTo
    await client.finish({ lease: claimed.lease, upTo: claimed.upTo, failed: [] })
  }
  const dispatched = (): void => {
    tally.waiting += 1
    tally.mostWaiting = Math.max(tally.mostWaiting, tally.waiting)
    if (coordinator !== null) void build(coordinator)
  }
  const server = await new LocalServer((request, response) => {
    request.resume()
    response.writeHead(204).end()
    dispatched()
  }).start()
  return {
    url: server.origin,
    open: async (client) => {
      coordinator = client
      have = (await client.status()).sequence
    },
    change: (seller) => void source.set(seller, (source.get(seller) ?? 0) + 1),
    count: () => ({
      lost: [...source].filter(([seller, version]) => served.get(seller) !== version).length,
      builds: tally.builds,
      mostRunning: tally.mostRunning,
      mostWaiting: tally.mostWaiting,
    }),
    close: () => server.close(),
  }
}
