/** Follows a source: tells that it changed, as soon as that can be seen. */
import { isDatabaseFile } from './sources.ts'

export interface Watcher {
  /** Something changed; `null` where only a read of the source tells whose documents. */
  readonly onChange: (sellers: readonly string[] | null) => void
  /** The source cannot be seen at the moment, or can be again: following goes on. */
  readonly onTrouble: (message: string) => void
  /** Ends it. */
  readonly signal: AbortSignal
}

/** Settles once changes are seen. A change before that is not told of. */
export async function followSource(name: string, watcher: Watcher): Promise<void> {
  if (isDatabaseFile(name)) (await import('./follow-embedded.ts')).followEmbedded(name, watcher)
  else (await import('./follow-folder.ts')).followFolder(name, watcher)
}
