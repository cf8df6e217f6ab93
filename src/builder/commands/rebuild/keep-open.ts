/** A source that stays open between rebuilds, since connecting takes longer than reading a seller. */
import type { Source } from '../../sources/source.ts'

export interface KeptSource {
  /** Returns the same source each time. Its `close` does nothing. */
  open(): Promise<Source>
  close(): void
}

export function keepOpen(open: () => Promise<Source>): KeptSource {
  let source: Source | null = null
  return {
    open: async () => share((source ??= await open())),
    close: () => source?.close(),
  }
}

function share(source: Source): Source {
  return {
    label: source.label,
    readsWhole: source.readsWhole,
    readAll: () => source.readAll(),
    readSellers: (sellers) => source.readSellers(sellers),
    readDocuments: (keys) => source.readDocuments(keys),
    readChanges: (cursor) => source.readChanges(cursor),
    readCursor: () => source.readCursor(),
    close: () => {},
  }
}
