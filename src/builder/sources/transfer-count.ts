/** Counts what a transfer moves and leaves out, and tells whoever waits. */
import type { Problem } from '../../domain/documents/document.ts'

/** `progress` gets the number of documents so far; `report` each line or row that was left out. */
export interface TransferOptions {
  readonly progress?: (count: number) => void
  readonly report?: (problem: Problem) => void
}

const STEP = 1_000

export class TransferCount {
  documents = 0
  problems = 0
  readonly #options: TransferOptions

  constructor(options: TransferOptions) {
    this.#options = options
  }

  count(): void {
    this.documents += 1
    if (this.documents % STEP === 0) this.#options.progress?.(this.documents)
  }

  reject(problem: Problem): void {
    this.problems += 1
    this.#options.report?.(problem)
  }
}
