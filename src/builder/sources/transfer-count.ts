/** Counts the documents that an import or export copies, and the problems that it reports. */
import type { Problem } from '../../domain/documents/document.ts'

/** `progress` gets the number of documents so far; `report` gets the problem of each line or row that was left out. */
export interface TransferOptions {
  readonly progress?: (count: number) => void
  readonly report?: (problem: Problem) => void
}

export interface TransferTotals {
  readonly documents: number
  readonly problems: number
}

export interface TransferCount {
  count(): void
  /** Undoes one call of `count`, for a document that a later occurrence replaces. */
  discount(): void
  reject(problem: Problem): void
  read(): TransferTotals
}

/** Documents between two calls of `progress`. */
const STEP = 1_000

export function createTransferCount({ progress, report }: TransferOptions): TransferCount {
  let documents = 0
  let problems = 0
  return {
    count: () => {
      documents += 1
      if (documents % STEP === 0) progress?.(documents)
    },
    discount: () => void (documents -= 1),
    reject: (problem) => {
      problems += 1
      report?.(problem)
    },
    read: () => ({ documents, problems }),
  }
}
