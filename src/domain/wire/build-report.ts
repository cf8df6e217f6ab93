/** What a builder reports: page by page, or as a whole when too much failed to be told. */
import { LARGEST_BODY, MAX_FAILED, MAX_REASON } from './bodies.ts'
import type { BuildReport } from './calls.ts'

export interface Build {
  readonly lease: string
  readonly upTo: number
  readonly failed: readonly { readonly seller: string; readonly reason: string }[]
}

/** A build with more failures than fit counts as come to nothing: its sellers stay, all of them. */
export function createBuildReport({ lease, upTo, failed }: Build): BuildReport {
  const short = failed.map(({ seller, reason }) => ({ seller, reason: reason.slice(0, MAX_REASON) }))
  const report = { lease, upTo, failed: short }
  const size = new TextEncoder().encode(JSON.stringify(report)).length
  if (failed.length <= MAX_FAILED && size <= LARGEST_BODY) return report
  const [first] = short
  const error = `${failed.length} pages could not be made, the first of seller ${first?.seller}: ${first?.reason}`
  return { lease, error: error.slice(0, MAX_REASON) }
}
