/** The result of a bench as text, and whether all figures are within their budgets. */
import { formatMeasured, formatRatio } from '../measure/figures.ts'

export interface Verdict {
  readonly text: string
  readonly isKept: boolean
  /** The object that `--json` prints; absent for none. */
  readonly figures?: object
}

/** A figure as text, and whether it is within its budget. */
export interface JudgedPromise {
  readonly words: string
  readonly isKept: boolean
}

export interface BenchTools {
  /** Working folder. A bench may leave its results there, and files that the next run reuses or replaces. */
  readonly folder: string
  readonly isQuick: boolean
  readonly progress: (text: string) => void
}

/** Joins lines into a verdict. A line that is a string has no budget. */
export function judge(...lines: readonly (string | JudgedPromise)[]): Verdict {
  return {
    text: lines.map((line) => (typeof line === 'string' ? line : formatJudged(line))).join('\n'),
    isKept: lines.every((line) => typeof line === 'string' || line.isKept),
  }
}

/** Compares a time with a budget in milliseconds. */
export function judgeTime(ms: number, budget: number, words: string): JudgedPromise {
  const isKept = ms <= budget
  return { words: `${formatMeasured(ms).padStart(8)}  ${words}, at most ${formatMeasured(budget)}`, isKept }
}

/** Compares the ratio of two times with a budget. */
export function judgeRatio(
  [ms, other]: readonly [number, number],
  budget: number,
  [words, otherWords]: readonly [string, string],
): JudgedPromise {
  const ratio = formatRatio(ms / other)
  return {
    words: `${formatMeasured(ms).padStart(8)}  ${words}: ${ratio} ${otherWords}, at most ${budget} ×`,
    isKept: ms <= budget * other,
  }
}

function formatJudged({ words, isKept }: JudgedPromise): string {
  return `  ${isKept ? 'ok  ' : 'OVER'}  ${words}`
}
