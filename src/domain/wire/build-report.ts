/** Creates a builder's report. If the failed pages do not fit, it reports the whole build as failed. */
import { LARGEST_BODY, MAX_FAILED, MAX_REASON } from './bodies.ts'
import type { BuildReport } from './calls.ts'

export interface Build {
  readonly lease: string
  readonly upTo: number
  readonly failed: readonly { readonly seller: string; readonly reason: string }[]
  /** Number of pictures that are still to be made. */
  readonly photos?: number
}

/** If the failures exceed the limits, the report is an error and all sellers of the build stay pending. */
export function createBuildReport({ lease, upTo, failed, photos }: Build): BuildReport {
  const short = failed.map(({ seller, reason }) => ({ seller, reason: reason.slice(0, MAX_REASON) }))
  const report = { lease, upTo, failed: short, ...(photos === undefined ? {} : { photos }) }
  const size = new TextEncoder().encode(JSON.stringify(report)).length
  if (failed.length <= MAX_FAILED && size <= LARGEST_BODY) return report
  const [first] = short
  const error = `${failed.length} pages could not be made, the first of seller ${first?.seller}: ${first?.reason}`
  return { lease, error: error.slice(0, MAX_REASON) }
}
