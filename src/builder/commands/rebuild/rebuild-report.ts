/** A rebuild's report for programs: one line of JSON. */
import type { Problem } from '../../../domain/documents/document.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { EXIT, findExitCode } from '../exit-codes.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'

export interface RebuildReport {
  readonly exit: number
  /** Catalogue pages only. In a dry run: the planned numbers. */
  readonly pages: {
    readonly rendered: number
    readonly unchanged: number
    readonly removed: number
    readonly failed: number
  }
  readonly sellers: number
  readonly products: number
  readonly rejected: readonly Rejection[]
  readonly reads: number
  readonly compiled: boolean
  readonly ms: number
  readonly error: string | null
}

interface Rejection {
  readonly collection: string
  readonly id: string
  readonly field: string
  readonly reason: string
}

export function createRebuildReport(result: RebuildOutcome | Error, ms: number): RebuildReport {
  if (result instanceof Error)
    return { ...EMPTY_REPORT, exit: findExitCode(result), ms, error: cleanText(result.message) }
  return {
    exit: result.failures.length > 0 ? EXIT.pageFailed : EXIT.done,
    pages: countPages(result),
    sellers: result.totals.sellers,
    products: result.totals.products,
    rejected: result.problems.map(formatRejection),
    reads: result.preparation.read.reads,
    compiled: result.isCompiled,
    ms,
    error: null,
  }
}

export const EMPTY_REPORT: RebuildReport = {
  exit: 0,
  pages: { rendered: 0, unchanged: 0, removed: 0, failed: 0 },
  sellers: 0,
  products: 0,
  rejected: [],
  reads: 0,
  compiled: false,
  ms: 0,
  error: null,
}

function countPages({ preparation: { plan }, failures, totals }: RebuildOutcome): RebuildReport['pages'] {
  const failed = failures.filter(({ seller }) => seller !== null).length
  const rendered = plan.render.filter(({ page }) => page.seller !== null).length - failed
  const removed = plan.remove.filter((page) => page.seller !== null).length
  return { rendered, unchanged: totals.sellers - rendered - failed, removed, failed }
}

function formatRejection({ collection, id, field, reason, fatal }: Problem): Rejection {
  return { collection, id, field, reason: fatal ? `left out: ${reason}` : reason }
}
