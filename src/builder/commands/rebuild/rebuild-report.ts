/** Creates the report of a rebuild for programs: one line of JSON. */
import type { AnyKind } from '../../../domain/documents/page-table.ts'
import type { Problem } from '../../../domain/documents/document.ts'
import { cutId, LONGEST_WHOLE } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { EXIT, findExitCode } from '../exit-codes.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { formatHoldEnd } from '../../rebuild/read/shrink-guard.ts'
import type { HeldRemoval } from '../../state/snapshot/snapshot.ts'

export interface RebuildReport {
  readonly exit: number
  /** Numbers of catalogue pages. In a dry run, the planned numbers. */
  readonly pages: ChangedPages & { readonly unchanged: number }
  readonly productPages: ChangedPages
  /** Numbers of all other pages, such as the home page, posters, feeds and sitemaps. */
  readonly otherPages: ChangedPages
  readonly sellers: number
  readonly products: number
  readonly rejected: readonly Rejection[]
  /**
   * Removals of documents that the guard holds back, one entry for each seller. `until` is the end of the delay, in ISO
   * 8601.
   */
  readonly held: readonly Held[]
  readonly reads: number
  readonly compiled: boolean
  readonly ms: number
  readonly error: string | null
}

export interface ChangedPages {
  readonly rendered: number
  readonly removed: number
  readonly failed: number
}

interface Held extends Pick<HeldRemoval, 'seller' | 'profiles' | 'products'> {
  readonly until: string
}

type Rejection = Omit<Problem, 'fatal'>

export function createRebuildReport(result: RebuildOutcome | Error, ms: number): RebuildReport {
  if (result instanceof Error)
    return { ...EMPTY_REPORT, exit: findExitCode(result), ms, error: cleanText(result.message) }
  return {
    exit: result.failures.length + result.held.length > 0 ? EXIT.pageFailed : EXIT.done,
    pages: countCatalogues(result),
    productPages: countPages(result, (kind) => kind === 'product'),
    otherPages: countPages(result, (kind) => kind !== 'catalogue' && kind !== 'product'),
    sellers: result.totals.sellers,
    products: result.totals.products,
    rejected: result.problems.map(formatRejection),
    held: result.held.map(createHeld),
    reads: result.preparation.read.reads,
    compiled: result.preparation.code.isCompiled(),
    ms,
    error: null,
  }
}

export const EMPTY_REPORT: RebuildReport = {
  exit: 0,
  pages: { rendered: 0, unchanged: 0, removed: 0, failed: 0 },
  productPages: { rendered: 0, removed: 0, failed: 0 },
  otherPages: { rendered: 0, removed: 0, failed: 0 },
  sellers: 0,
  products: 0,
  rejected: [],
  held: [],
  reads: 0,
  compiled: false,
  ms: 0,
  error: null,
}

function countCatalogues(outcome: RebuildOutcome): RebuildReport['pages'] {
  const { rendered, removed, failed } = countPages(outcome, (kind) => kind === 'catalogue')
  return { rendered, unchanged: outcome.totals.sellers - rendered - failed, removed, failed }
}

function countPages(
  { preparation: { plan }, failures }: RebuildOutcome,
  isCounted: (kind: AnyKind) => boolean,
): ChangedPages {
  const paths = new Set(failures.map(({ path }) => path))
  const steps = plan.render.filter(({ kind }) => isCounted(kind))
  const failed = paths.size === 0 ? 0 : steps.filter(({ path }) => paths.has(path)).length
  const removed = plan.remove.filter(({ kind }) => isCounted(kind)).length
  return { rendered: steps.length - failed, removed, failed }
}

function createHeld(held: HeldRemoval): Held {
  const { seller, profiles, products } = held
  return { seller, profiles, products, until: formatHoldEnd(held) }
}

function formatRejection({ collection, id, field, reason, fatal }: Problem): Rejection {
  return {
    collection,
    id: cutId(id, LONGEST_WHOLE),
    field,
    reason: fatal ? `${reason} (document left out)` : reason,
  }
}
