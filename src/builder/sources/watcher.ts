/** Whoever follows a source, and what it is told. */

export interface Watcher {
  /** Something changed; `null` where only a read of the source tells whose documents. */
  readonly onChange: (sellers: readonly string[] | null) => void
  /** The source cannot be seen at the moment, or can be again: following goes on. */
  readonly onTrouble: (message: string) => void
  /** Ends it. */
  readonly signal: AbortSignal
}
