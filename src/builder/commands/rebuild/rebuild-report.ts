/** Creates the report of a rebuild for programs: one line of JSON. */
import type { Problem } from '../../../domain/documents/document.ts'
import { cutId, LONGEST_WHOLE } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { EXIT, findExitCode } from '../exit-codes.ts'

export interface RebuildReport {
  readonly exit: number
  readonly sellers: number
  readonly products: number
  /** Number of documents that were read. */
  readonly reads: number
  readonly rejected: readonly Rejection[]
  readonly pages: {
    /** Number of HTML pages whose bytes changed. */
    readonly written: number
    /** Number of files that were removed. */
    readonly removed: number
    /** Number of pages that failed in this run. */
    readonly failed: number
  }
  /** Why everything was due; `null` if only what changed was. */
  readonly everything: string | null
  readonly compiled: boolean
  readonly ms: number
  readonly error: string | null
}

type Rejection = Omit<Problem, 'fatal'>

export const EMPTY_REPORT: RebuildReport = {
  exit: EXIT.done,
  ms: 0,
  error: null,
  sellers: 0,
  products: 0,
  reads: 0,
  rejected: [],
  pages: { written: 0, removed: 0, failed: 0 },
  everything: null,
  compiled: false,
}

export function createRebuildReport(result: RebuildOutcome | Error, ms: number): RebuildReport {
  if (result instanceof Error)
    return { ...EMPTY_REPORT, exit: findExitCode(result), ms, error: cleanText(result.message) }
  const { totals, read, problems, written, removed, failures, failed, everything, isCompiled } = result
  return {
    // Sellers stay in `failed` until their pages are mended.
    exit: failed.length > 0 ? EXIT.pageFailed : EXIT.done,
    ...totals,
    reads: read.reads,
    rejected: problems.map(formatRejection),
    pages: { written: written.pages, removed, failed: failures.length },
    everything,
    compiled: isCompiled,
    ms,
    error: null,
  }
}

function formatRejection({ collection, id, field, reason, fatal }: Problem): Rejection {
  return {
    collection,
    id: cutId(id, LONGEST_WHOLE),
    field,
    reason: fatal ? `${reason} (document left out)` : reason,
  }
}
