/**
 * Opens a site of objects on this machine: the real rebuild command builds it, the local runtime serves it, and a proxy
 * emits an event for each call of a builder.
 */
import type { EventEmitter } from 'node:events'
import type { Edge } from '../../src/builder/commands/local/local-edge.ts'
import type { SiteSettings } from './objects-worker.ts'
import { createSiteSettings, startObjectsWorker } from './objects-worker.ts'
import type { LocalPlace } from './open-place.ts'
import type { BuilderRun } from './run-builder.ts'
import { requireBuilt } from './run-builder.ts'
import { createEvents, watchCalls } from './watch-calls.ts'

interface BuiltObjects {
  readonly edge: Edge
  /** Emits the events of `watchCalls` for each call of a builder. */
  readonly events: EventEmitter
  /** The folder and settings for further runs of the rebuild command. */
  readonly builder: Pick<BuilderRun, 'folder' | 'settings'>
}

/** Builds the site and starts its Worker. Nothing is delivered to the store yet. */
export async function openBuiltObjects(
  { folder, later }: LocalPlace,
  given: SiteSettings,
  progress: (text: string) => void,
): Promise<BuiltObjects> {
  const settings = await createSiteSettings(given)
  progress('Compiling')
  await requireBuilt({ folder, settings, options: [] })
  progress('Starting the Worker')
  const edge = await startObjectsWorker({ folder, settings })
  later(() => edge.close())
  const events = createEvents()
  const calls = await watchCalls(edge.origin, events)
  later(() => calls.close())
  return { edge, events, builder: { folder, settings: { ...settings, COORDINATOR_URL: calls.origin } } }
}
