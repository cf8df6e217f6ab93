/** A builder that stays: listens for dispatches, and builds what waits with everything warm. */
import { isDamage } from '../../state/sqlite/result-codes.ts'
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { PendingStep } from '../../publish/build-pending.ts'
import { buildPending } from '../../publish/build-pending.ts'
import { CallError } from '../../publish/coordinator-client.ts'
import { openPending } from '../rebuild/open-pending.ts'
import type { OpenWorld } from '../rebuild/open-world.ts'
import { openWorld, removeState } from '../rebuild/open-world.ts'
import type { CommandOptions } from '../rebuild/rebuild-options.ts'
import { listen } from './dispatch-listener.ts'
import { createBuildQueue } from './build-queue.ts'

export type BuilderEvent =
  | { readonly kind: 'dispatched'; readonly build: string; readonly isNews: boolean }
  | { readonly kind: 'trouble'; readonly message: string }
  /** `retry` in milliseconds; `null` when the coordinator asks again. */
  | { readonly kind: 'failed'; readonly error: Error; readonly retry: number | null }
  | PendingStep

export interface BuilderOptions {
  readonly command: CommandOptions
  readonly host: string
  readonly port: number
  readonly tell: (event: BuilderEvent) => void
}

export interface Builder {
  readonly url: string
  /** Settles when the build under way has ended. */
  close(): Promise<void>
}

/** How soon a coordinator that cannot be asked is asked again. */
const RETRY = { first: 1_000, longest: 60_000 }

/** Throws what `openWorld` throws, a `UsageError` without a usable secret and when it cannot listen. */
export async function startBuilder({ command, host, port, tell }: BuilderOptions): Promise<Builder> {
  // It stays as one that watches does: connections are kept.
  const options = { ...command, isWatch: true }
  const way = openPending(options, (message) => tell({ kind: 'trouble', message }))
  let world: OpenWorld | null = await openWarm(options)
  let failures = 0
  const closeWorld = (): void => {
    world?.close()
    world = null
  }
  const buildOnce = async (): Promise<null> => {
    world ??= await openWarm(options)
    await buildPending({ ...way, world, tell })
    failures = 0
    return null
  }
  const findRetry = (error: unknown): number | null => {
    failures += 1
    const delay = growDelay(RETRY, failures, Math.random())
    if (error instanceof CallError) return delay
    if (!isDamage(error)) return null
    closeWorld()
    removeState(options.state)
    return delay
  }
  const turns = createBuildQueue(() =>
    buildOnce().catch((error: unknown) => {
      const retry = findRetry(error)
      tell({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)), retry })
      return retry
    }),
  )
  const onDispatch = (build: string): void => tell({ kind: 'dispatched', build, isNews: turns.ask() })
  const { secrets, dispatchSecret } = command.configuration.coordinator
  const known = dispatchSecret === null ? secrets : [dispatchSecret, ...secrets]
  const door = await listen({ host, port, secrets: known, onDispatch }).catch((error: unknown) => {
    closeWorld()
    throw error
  })
  // What came while no builder was there.
  turns.ask()
  return {
    url: door.url,
    close: async () => {
      door.close()
      await turns.end()
      closeWorld()
    },
  }
}

/** The renderer is loaded before it is needed. */
async function openWarm(options: CommandOptions): Promise<OpenWorld> {
  const world = await openWorld(options, () => {})
  const { renderers } = world
  await renderers.load(renderers.find() ?? (await renderers.compile()))
  return world
}
