/** Result of a bench: its figures in words, and whether all budgets are kept. */

export interface Verdict {
  readonly text: string
  readonly isKept: boolean
}

/** A figure with its budget. */
export interface JudgedPromise {
  readonly words: string
  readonly isKept: boolean
}

export interface BenchTools {
  /** Working folder. A bench removes what it wrote, except data that the next run can reuse. */
  readonly folder: string
  readonly isQuick: boolean
  readonly progress: (text: string) => void
}

/** Joins lines into a verdict. Strings are lines without a budget. */
export function judge(...lines: readonly (string | JudgedPromise)[]): Verdict {
  return {
    text: lines.map((line) => (typeof line === 'string' ? line : formatJudged(line))).join('\n'),
    isKept: lines.every((line) => typeof line === 'string' || line.isKept),
  }
}

function formatJudged({ words, isKept }: JudgedPromise): string {
  return `  ${isKept ? 'ok  ' : 'OVER'}  ${words}`
}
