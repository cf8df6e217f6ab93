/** Creates the report of a rebuild for programs: docs/data.md explains its fields. */
import type { Problem } from '../../../domain/documents/document.ts'
import { cutId, LONGEST_WHOLE } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { EXIT, findExitCode } from '../exit-codes.ts'

export type RebuildReport = ReturnType<typeof createRebuildReport>

/** What a run reports that failed before it read anything. */
const NOTHING = {
  totals: { sellers: 0, products: 0 },
  read: { reads: 0 },
  problems: [],
  written: { pages: 0 },
  removed: 0,
  failures: [],
  failed: [],
  everything: null,
  isCompiled: false,
}

export function createRebuildReport(result: RebuildOutcome | Error | null, ms: number) {
  const error = result instanceof Error ? result : null
  const outcome = result instanceof Error || result === null ? NOTHING : result
  // Sellers stay in `failed` until their pages are mended.
  const exit = outcome.failed.length > 0 ? EXIT.pageFailed : EXIT.done
  return {
    exit: error === null ? exit : findExitCode(error),
    ms: Math.round(ms),
    error: error === null ? null : cleanText(error.message),
    ...outcome.totals,
    reads: outcome.read.reads,
    rejected: outcome.problems.map(formatRejection),
    pages: {
      written: outcome.written.pages,
      removed: outcome.removed,
      failed: outcome.failures.length,
    },
    everything: outcome.everything,
    compiled: outcome.isCompiled,
  }
}

export const EMPTY_REPORT = createRebuildReport(null, 0)

function formatRejection({ id, reason, fatal, ...problem }: Problem) {
  return {
    ...problem,
    id: cutId(id, LONGEST_WHOLE),
    reason: fatal ? `${reason} (document left out)` : reason,
  }
}
