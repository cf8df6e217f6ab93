/** Follows a source: tells that it changed, as soon as that can be seen. */
import { isDatabaseFile } from './sources.ts'
import type { Watcher } from './watcher.ts'

/** Settles once changes are seen. A change before that is not told of. */
export async function followSource(name: string, watcher: Watcher): Promise<void> {
  if (isDatabaseFile(name)) (await import('./follow-embedded.ts')).followEmbedded(name, watcher)
  else (await import('./follow-folder.ts')).followFolder(name, watcher)
}
