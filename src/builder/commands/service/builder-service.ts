/** A long-running builder: listens for dispatches, and builds pending sellers with open state and loaded code. */
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
  /** `retry` in milliseconds; `null` when the next dispatch starts the next try. */
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
  /** Resolves when the current build has ended. */
  close(): Promise<void>
}

/** Bounds of the delay after a failed call to the coordinator, in milliseconds. */
const RETRY = { first: 1_000, longest: 60_000 }

/** Throws the errors of `openWorld`, and a `UsageError` without a usable secret or a free port. */
export async function startBuilder({ command, host, port, tell }: BuilderOptions): Promise<Builder> {
  // As in `--watch`, connections stay open between builds.
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
  // Builds the changes that arrived while no builder was running.
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

/** Loads the renderer in advance. */
async function openWarm(options: CommandOptions): Promise<OpenWorld> {
  const world = await openWorld(options, () => {})
  const { renderers } = world
  await renderers.load(renderers.find() ?? (await renderers.compile()))
  return world
}
