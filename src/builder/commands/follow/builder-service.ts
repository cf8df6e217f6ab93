/**
 * A long-running builder: listens for dispatches, and builds pending sellers. Keeps the state open and the code loaded.
 */
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { PendingBuild, PendingStep } from '../../publish/pending/build-pending.ts'
import { buildWithPhotos } from '../../publish/pending/build-with-photos.ts'
import { CallError } from '../../publish/coordinator/coordinator-client.ts'
import { openPending } from '../rebuild/open-pending.ts'
import type { OpenWorld } from '../rebuild/open-world.ts'
import { openWorld } from '../rebuild/open-world.ts'
import { DAMAGED, removeState } from '../rebuild/state-files.ts'
import type { BuildOptions } from '../options.ts'
import { BusyError } from '../../state/lock-folders.ts'
import { ROOT } from '../../state/project-folder.ts'
import type { BuilderHealth } from './builder-health.ts'
import { trackHealth } from './builder-health.ts'
import { listen } from './dispatch-listener.ts'
import { OutdatedError, watchCode } from './project-code.ts'
import type { Left } from './follow.ts'
import { createFollower } from './follow.ts'
import { keepWorld } from './kept-world.ts'
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

/** The only task of the follower, because each build asks the coordinator which sellers are pending. */
const ALL = 'all'

/** Throws the errors of `openWorld`, and a `UsageError` if no usable secret is set or it cannot listen on the port. */
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
  const follower = createFollower({ join: () => ALL, work: builds.run, signal: ending.signal })
  const onDispatch = (build: string): void => tell({ kind: 'dispatched', build, isNews: follower.ring(ALL) })
  const { secrets, dispatchSecret } = command.configuration.coordinator
  const known = dispatchSecret === null ? secrets : [dispatchSecret, ...secrets]
  const listening = listen({ host, port, secrets: known, onDispatch, readHealth: health.read })
  const door = await listening.catch((error: unknown) => {
    builds.close()
    throw error
  })
  // Builds the changes that arrived while no builder was running.
  follower.ring(ALL)
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
   * Builds once. Returns the work to retry if a call to the coordinator failed and the service is not ending; otherwise
   * `null`. Never throws.
   */
  run(): Promise<Left<typeof ALL> | null>
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
  // Keeps connections open between builds, as `--watch` does.
  const options = { ...command, isWatch: true }
  const reportTrouble = (message: string): void => tell({ kind: 'trouble', message })
  const checkCode = watchCode(ROOT)
  const way = guardPublish(openPending(options, reportTrouble, ending), checkCode)
  const kept = keepWorld(
    () => openWarm(() => openWorld(options, () => {})),
    () => {
      reportTrouble(DAMAGED)
      removeState(options.state)
    },
  )
  await kept.use(async () => {})
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
  const run = async (): Promise<Left<typeof ALL> | null> => {
    try {
      checkCode()
      await kept.use((world) => buildWithPhotos({ ...way, world, tell: noteBuild, ending }))
      failures = 0
      health.end('built')
      return null
    } catch (error) {
      health.end(error instanceof BusyError ? 'left to another' : 'failed')
      const retry = findRetry(error)
      tell({ kind: 'failed', error: toError(error), retry })
      return retry === null ? null : { todo: ALL, pause: retry }
    }
  }
  return { run, close: kept.close }
}

/**
 * Checks before each publish that the code has not changed, because the deploy tool would bundle new code with old
 * pages.
 */
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

/** Opens the world, and loads or compiles the renderer before the first build needs it. If that fails, closes the world. */
export async function openWarm(open: () => Promise<OpenWorld>): Promise<OpenWorld> {
  const world = await open()
  const { renderers } = world
  try {
    await renderers.load(renderers.find() ?? (await renderers.compile()))
    return world
  } catch (error) {
    // Otherwise the folders would stay locked, and every later build of this process would find them busy.
    world.close()
    throw error
  }
}
