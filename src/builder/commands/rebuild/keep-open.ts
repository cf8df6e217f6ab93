/** Keeps a source open between rebuilds: opening a connection takes longer than reading a seller. */
import type { Source } from '../../sources/source.ts'

export interface KeptSource {
  /** Returns the same source each time. Closing that source has no effect. */
  open(): Promise<Source>
  close(): void
}

export function keepOpen(open: () => Promise<Source>): KeptSource {
  let source: Source | null = null
  return {
    open: async () => ({ ...(source ??= await open()), close: () => {} }),
    close: () => source?.close(),
  }
}
