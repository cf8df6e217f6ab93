/**
 * A long-running builder: listens for dispatches, and builds pending sellers. Keeps the state open and the code loaded.
 */
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { PendingBuild, PendingStep } from '../../publish/pending/build-pending.ts'
import { buildWithPhotos } from '../../publish/pending/build-with-photos.ts'
import { CallError } from '../../publish/coordinator/coordinator-client.ts'
import { openPending } from '../rebuild/open-pending.ts'
import type { OpenWorld } from '../rebuild/open-world.ts'
import { keepWorld } from '../rebuild/kept-world.ts'
import { OutdatedError } from '../rebuild/page-inputs.ts'
import type { BuildOptions } from '../options.ts'
import { BusyError } from '../../state/locks.ts'
import type { BuilderHealth } from './builder-health.ts'
import { trackHealth } from './builder-health.ts'
import { listen } from './dispatch-listener.ts'
import { createFollower } from './follow.ts'
import { toError } from '../../../domain/documents/errors.ts'

export type BuilderEvent =
  | { readonly kind: 'dispatched'; readonly build: string; readonly isNews: boolean }
  | { readonly kind: 'trouble'; readonly message: string }
  /** `retry`: milliseconds until the next try; `null` if the next dispatch starts it. */
  | { readonly kind: 'failed'; readonly error: Error; readonly retry: number | null }
  | PendingStep

export interface BuilderOptions {
  /** Options of each build. */
  readonly command: BuildOptions
  readonly host: string
  readonly port: number
  readonly tell: (event: BuilderEvent) => void
}

interface ServiceBuilder {
  readonly url: string
  /**
   * Resolves when a check before a build or before a publish finds that the project's code has changed. No build starts
   * afterwards.
   */
  readonly outdated: Promise<void>
  /** Starts no further build. Resolves when the current build has ended. */
  close(): Promise<void>
}

/** Bounds of the delay after a failed call to the coordinator, in milliseconds. */
const RETRY = { first: 1_000, longest: 60_000 }

/** Throws a `BusyError` if another process uses the folders, and a `UsageError` if no usable secret is set or it cannot listen on the port. */
export async function startBuilder({ command, host, port, tell }: BuilderOptions): Promise<ServiceBuilder> {
  const outdated = Promise.withResolvers<void>()
  const health = trackHealth()
  const ending = new AbortController()
  const builds = await openBuilds(command, {
    tell,
    health,
    onOutdated: outdated.resolve,
    ending: ending.signal,
  })
  const follower = createFollower({ work: builds.run, signal: ending.signal })
  const onDispatch = (build: string): void => tell({ kind: 'dispatched', build, isNews: follower.ring() })
  const { secrets, dispatchSecret } = command.configuration.coordinator
  const known = dispatchSecret === null ? secrets : [dispatchSecret, ...secrets]
  const listening = listen({ host, port, secrets: known, onDispatch, readHealth: health.read })
  const door = await listening.catch((error: unknown) => {
    builds.close()
    throw error
  })
  // Builds the changes that arrived while no builder was running.
  follower.ring()
  const running = follower.run()
  return {
    url: door.url,
    outdated: outdated.promise,
    close: async () => {
      door.close()
      ending.abort()
      await running
      builds.close()
    },
  }
}

interface Builds {
  /**
   * Builds once. Returns milliseconds until another try if a call to the coordinator failed and the service is not
   * ending; otherwise `null`. Never throws.
   */
  run(): Promise<number | null>
  close(): void
}

interface Surroundings extends Pick<BuilderOptions, 'tell'> {
  readonly health: BuilderHealth
  readonly onOutdated: () => void
  /** Aborts when the service ends: no build begins afterwards. */
  readonly ending: AbortSignal
}

async function openBuilds(
  command: BuildOptions,
  { tell, health, onOutdated, ending }: Surroundings,
): Promise<Builds> {
  const reportTrouble = (message: string): void => tell({ kind: 'trouble', message })
  const options = { ...command, isWatch: true }
  const way = openPending(options, reportTrouble, ending)
  const kept = keepWorld(options, { progress: () => {}, warn: reportTrouble })
  // Throws an `OutdatedError` if the code has changed. Also checked before each publish, because the deploy tool would
  // bundle new code with old pages.
  const checkCode = (): Promise<void> => kept.use(async (world) => void world.readInputs())
  const publish = guard(way.publish, checkCode)
  await kept.use(loadCode).catch((error: unknown) => {
    kept.close()
    throw error
  })
  let failures = 0
  // Health shows `building` only after the claim is granted, because no build starts before that.
  const noteBuild = (step: PendingStep): void => {
    if (step.kind === 'claimed') health.begin()
    tell(step)
  }
  const findRetry = (error: unknown): number | null => {
    if (error instanceof OutdatedError) onOutdated()
    if (ending.aborted) return null
    failures += 1
    // If a call fails after the publish, the `CallError` is the cause of another error, which says that the build is
    // live.
    const isCall = [error, toError(error).cause].some((one) => one instanceof CallError)
    return isCall ? growDelay(RETRY, failures, Math.random()) : null
  }
  const run = async (): Promise<number | null> => {
    try {
      await checkCode()
      await kept.use((world) => buildWithPhotos({ ...way, publish, world, tell: noteBuild, ending }))
      failures = 0
      health.end('built')
      return null
    } catch (error) {
      health.end(error instanceof BusyError ? 'left to another' : 'failed')
      const retry = findRetry(error)
      tell({ kind: 'failed', error: toError(error), retry })
      return retry
    }
  }
  return { run, close: kept.close }
}

/** Loads or compiles the renderer before the first build needs it. */
async function loadCode({ readInputs, renderers }: OpenWorld): Promise<void> {
  const { code } = readInputs()
  await renderers.load(renderers.find(code) ?? (await renderers.compile(code)))
}

function guard(publish: PendingBuild['publish'], check: () => Promise<void>): PendingBuild['publish'] {
  if (publish === null) return null
  return async () => {
    await check()
    return publish()
  }
}
