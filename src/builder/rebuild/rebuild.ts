/**
 * A rebuild. A run that did not end is not trusted: the next one looks at everything. A run goes through five states,
 * locked, based, read, written and settled; docs/design.md has the table of what each makes durable. The caller holds
 * the locks.
 */
import { randomUUID } from 'node:crypto'
import type { Problem } from '../../domain/documents/document.ts'
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import { MARKER, parseMarker } from '../../domain/wire/site-marker.ts'
import { NOTHING_MADE } from '../pictures/pictures.ts'
import type { KeptRenderer } from '../renderer/renderer-store.ts'
import type { DifferingFile } from '../state/output.ts'
import { createComparison } from '../state/output.ts'
import type { Totals } from '../state/apply-read.ts'
import type { FailedSeller } from '../state/site-state.ts'
import { formatBasis } from './basis.ts'
import { findReason } from './find-reason.ts'
import type { DocumentsRead } from './read-documents.ts'
import { readDocuments } from './read-documents.ts'
import type { RenewedSite } from './renew-site.ts'
import { renewSite } from './renew-site.ts'
import type { PageInputs, World } from './world.ts'

export interface RebuildOutcome extends Omit<RenewedSite, 'failed'> {
  /** Why everything was due; `null` if only what changed was. */
  readonly everything: string | null
  readonly read: Pick<DocumentsRead, 'reads' | 'unknownSellers' | 'differences'>
  /** Sellers whose pages failed in this run or an earlier one, and are not mended yet. */
  readonly failed: readonly FailedSeller[]
  readonly totals: Totals
  readonly problems: readonly Problem[]
  readonly isCompiled: boolean
  /** True if nothing was due. */
  readonly isIdle: boolean
  /** Which files would differ; empty unless the run was explained. */
  readonly differing: ReadonlyMap<string, DifferingFile>
}

export async function rebuild(world: World): Promise<RebuildOutcome> {
  const output = world.options.isExplained ? createComparison(world.output) : world.output
  const outcome = await run({ ...world, output })
  return { ...outcome, differing: output.differing }
}

async function run(world: World): Promise<Omit<RebuildOutcome, 'differing'>> {
  const { state, output, options, renderers } = world
  // State 1, locked: what the folder holds is known by its marker.
  output.tidy()
  const marker = readMarker(world)
  // State 2, based.
  const { inputs, kept, isCompiled } = await openCode(world)
  const everything = findReason(world, { marker, basis: inputs.basis })
  // State 3, read: one transaction.
  state.begin()
  try {
    const isWhole = everything !== null
    const ignoresCase = output.has(MARKER.toUpperCase())
    const before = options.publishing?.live ?? marker
    const read = await readDocuments(world, { isWhole, marker: before, ignoresCase })
    const due = findDue(world, read, isWhole)
    const isIdle = !isWhole && due.size === 0
    if (!isIdle) state.write('closed', null)
    storeClaim(world)
    if (!options.isExplained) state.commit()
    const facts = { id: randomUUID(), inputs, isWhole, due }
    // States 4 and 5, written and settled.
    const renewed = isIdle
      ? NOTHING_RENEWED
      : await renewSite(world, { ...facts, kept: kept ?? (await renderers.compile(inputs.code)) })
    return {
      ...renewed,
      everything,
      read,
      failed: renewed.failed ?? state.readFailed(),
      totals: state.readTotals(),
      problems: state.readProblems(inputs.maxProducts),
      isCompiled: isCompiled || (kept === null && !isIdle),
      isIdle,
    }
  } finally {
    // Ends the transaction of a run that failed, or that was explained.
    state.rollBack()
  }
}

/** Stored in the transaction of the read, so that the state never claims to have more than it has read. */
function storeClaim({ state, options: { publishing } }: World): void {
  if (publishing === null) return
  state.write('since', publishing.live?.run ?? null)
  if (publishing.claimed !== null) state.write('claimed', publishing.claimed)
}

const NOTHING_RENEWED = {
  lookedAt: { sellers: [], pictures: [], lists: [] },
  written: { pages: 0, files: 0, examples: [] },
  removed: 0,
  failures: [],
  pictures: NOTHING_MADE,
  failed: null,
}

/** Returns `null` if there is no marker, or no readable one. */
export function readMarker({ output }: Pick<World, 'output'>): SiteMarker | null {
  const bytes = output.read(MARKER)
  return bytes === null ? null : parseMarker(new TextDecoder().decode(bytes))
}

interface OpenedCode {
  readonly inputs: PageInputs
  /** `null` if the basis is that of the last run, and its renderer is lost. It is compiled if a page is due. */
  readonly kept: KeptRenderer | null
  readonly isCompiled: boolean
}

/** Compiles if the basis is another one, and no renderer of it is stored. */
async function openCode({ state, renderers, readInputs, progress }: World): Promise<OpenedCode> {
  for (;;) {
    const inputs = readInputs()
    const kept = renderers.find(inputs.code)
    const basis = formatBasis(inputs.basis)
    if (kept !== null || state.read('closed')?.basis === basis) return { inputs, kept, isCompiled: false }
    progress('Compiling the pages')
    const compiled = await renderers.compile(inputs.code)
    // If an input changed meanwhile, the compiled code may be of either.
    if (formatBasis(readInputs().basis) === basis) return { inputs, kept: compiled, isCompiled: true }
  }
}

/** Due are sellers who differ or were named, whose pictures changed, and who failed some time ago. */
function findDue(
  world: World,
  { changed, unknownSellers }: DocumentsRead,
  isWhole: boolean,
): ReadonlySet<string> {
  const { state, options, pictures, clock } = world
  const failed = state.readFailed().filter(({ next }) => isWhole || next <= clock())
  const others = isWhole ? state.readSellers() : pictures.readChanges()
  // The name of nobody may be that of another page, such as `404`.
  const named = options.sellers.filter((seller) => !unknownSellers.includes(seller))
  return new Set([...changed, ...named, ...failed.map(({ seller }) => seller), ...others])
}
