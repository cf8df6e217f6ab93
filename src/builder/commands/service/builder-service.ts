/** A long-running builder: listens for dispatches, and builds pending sellers with open state and loaded code. */
import { isDamage } from '../../state/sqlite/result-codes.ts'
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { PendingBuild, PendingStep } from '../../publish/build-pending.ts'
import { buildWithPhotos } from '../../publish/build-with-photos.ts'
import { CallError } from '../../publish/coordinator-client.ts'
import { openPending } from '../rebuild/open-pending.ts'
import type { OpenWorld } from '../rebuild/open-world.ts'
import { openWorld } from '../rebuild/open-world.ts'
import { removeState } from '../rebuild/state-files.ts'
import type { BuildOptions } from '../options.ts'
import { BusyError } from '../../state/lock-folders.ts'
import { ROOT } from '../../state/project-folder.ts'
import type { BuilderHealth } from './builder-health.ts'
import { trackHealth } from './builder-health.ts'
import { listen } from './dispatch-listener.ts'
import { OutdatedError, watchCode } from './project-code.ts'
import { createBuildQueue } from './build-queue.ts'
import { toError } from '../../../domain/documents/errors.ts'

export type BuilderEvent =
  | { readonly kind: 'dispatched'; readonly build: string; readonly isNews: boolean }
  | { readonly kind: 'trouble'; readonly message: string }
  /** `retry` in milliseconds; `null` when the next dispatch starts the next try. */
  | { readonly kind: 'failed'; readonly error: Error; readonly retry: number | null }
  | PendingStep

export interface BuilderOptions {
  readonly command: BuildOptions
  readonly host: string
  readonly port: number
  readonly tell: (event: BuilderEvent) => void
}

export interface Builder {
  readonly url: string
  /** Resolves when the project's code has changed. No build starts afterwards. */
  readonly outdated: Promise<void>
  /** Resolves when the current build has ended. */
  close(): Promise<void>
}

/** Bounds of the delay after a failed call to the coordinator, in milliseconds. */
const RETRY = { first: 1_000, longest: 60_000 }

/** Throws the errors of `openWorld`, and a `UsageError` without a usable secret or a free port. */
export async function startBuilder({ command, host, port, tell }: BuilderOptions): Promise<Builder> {
  // As in `--watch`, connections stay open between builds.
  const options = { ...command, isWatch: true }
  const outdated = Promise.withResolvers<void>()
  const health = trackHealth()
  const ending = new AbortController()
  const builds = await openBuilds(options, {
    tell,
    health,
    onOutdated: outdated.resolve,
    ending: ending.signal,
  })
  const turns = createBuildQueue(builds.run)
  const onDispatch = (build: string): void => tell({ kind: 'dispatched', build, isNews: turns.ask() })
  const { secrets, dispatchSecret } = command.configuration.coordinator
  const known = dispatchSecret === null ? secrets : [dispatchSecret, ...secrets]
  const listening = listen({ host, port, secrets: known, onDispatch, readHealth: health.read })
  const door = await listening.catch((error: unknown) => {
    builds.close()
    throw error
  })
  // Builds the changes that arrived while no builder was running.
  turns.ask()
  return {
    url: door.url,
    outdated: outdated.promise,
    close: async () => {
      door.close()
      ending.abort()
      await turns.end()
      builds.close()
    },
  }
}

interface Builds {
  /** Never throws. Returns the delay before another build in milliseconds, or `null`. */
  run(): Promise<number | null>
  close(): void
}

interface Surroundings extends Pick<BuilderOptions, 'tell'> {
  readonly health: BuilderHealth
  readonly onOutdated: () => void
  /** Aborts when no further build begins. */
  readonly ending: AbortSignal
}

async function openBuilds(
  options: BuildOptions,
  { tell, health, onOutdated, ending }: Surroundings,
): Promise<Builds> {
  const checkCode = watchCode(ROOT)
  const way = guardPublish(
    openPending(options, (message) => tell({ kind: 'trouble', message }), ending),
    checkCode,
  )
  let world: OpenWorld | null = await openWarm(options)
  let failures = 0
  const closeWorld = (): void => {
    world?.close()
    world = null
  }
  const buildOnce = async (): Promise<null> => {
    checkCode()
    health.begin()
    world ??= await openWarm(options)
    await buildWithPhotos({ ...way, world, tell })
    failures = 0
    health.end('built')
    return null
  }
  const findRetry = (error: unknown): number | null => {
    if (error instanceof OutdatedError) onOutdated()
    if (ending.aborted) return null
    failures += 1
    const delay = growDelay(RETRY, failures, Math.random())
    if (error instanceof CallError) return delay
    if (!isDamage(error)) return null
    closeWorld()
    removeState(options.state)
    return delay
  }
  const run = (): Promise<number | null> =>
    buildOnce().catch((error: unknown) => {
      health.end(error instanceof BusyError ? 'left to another' : 'failed')
      const retry = findRetry(error)
      tell({ kind: 'failed', error: toError(error), retry })
      return retry
    })
  const close = (): void => {
    closeWorld()
    way.close()
  }
  return { run, close }
}

/** The deploy tool would bundle the new code with pages of the old one. */
function guardPublish<Way extends Pick<PendingBuild, 'publish'>>(way: Way, checkCode: () => void): Way {
  const { publish } = way
  if (publish === null) return way
  return {
    ...way,
    publish: async (isWhole: boolean) => {
      checkCode()
      return publish(isWhole)
    },
  }
}

/** Loads the renderer in advance. */
async function openWarm(options: BuildOptions): Promise<OpenWorld> {
  const world = await openWorld(options, () => {})
  const { renderers } = world
  await renderers.load(renderers.find() ?? (await renderers.compile()))
  return world
}
