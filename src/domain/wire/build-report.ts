/**
 * Creates a builder's report. If the list of failed sellers is too large for a report, the report says that the whole
 * build failed.
 */
import { LARGEST_BODY } from './call.ts'
import { MAX_FAILED, MAX_REASON } from './calls.ts'
import type { BuildReport, MetStrangers } from './calls.ts'

export interface Build {
  readonly lease: string
  readonly upTo: number
  readonly failed: readonly { readonly seller: string; readonly reason: string }[]
  /** Number of pictures that are still to be made. */
  readonly photos?: number
  readonly strangers?: MetStrangers
}

/**
 * If the failures exceed the limits, the report is an error and all sellers of the build stay pending. Strangers, the
 * sellers that may not exist, are left out if there is no space for them: the next claim lists them again.
 */
export function createBuildReport({ lease, upTo, failed, photos, strangers }: Build): BuildReport {
  const short = failed.map(({ seller, reason }) => ({ seller, reason: reason.slice(0, MAX_REASON) }))
  const report = { lease, upTo, failed: short, ...(photos === undefined ? {} : { photos }) }
  const reports = strangers === undefined ? [report] : [{ ...report, strangers }, report]
  const fitting = reports.find((one) => failed.length <= MAX_FAILED && isFitting(one))
  if (fitting !== undefined) return fitting
  const [first] = short
  const error = `${failed.length} sellers could not be updated, the first of them ${first?.seller}: ${first?.reason}`
  return { lease, error: error.slice(0, MAX_REASON) }
}

function isFitting(report: BuildReport): boolean {
  return new TextEncoder().encode(JSON.stringify(report)).length <= LARGEST_BODY
}
