/** Builds a site of honest and hostile documents with the command's own code, and the search index of the site. */
import { join } from 'node:path'
import { loadRenderer } from '../../../src/builder/renderer/load-renderer.ts'
import { MAX_UPDATES } from '../../../src/domain/search/search-index.ts'
import { cleanQuery } from '../../../src/domain/search/words.ts'
import { divide } from '../../../src/domain/work/batches.ts'
import type { Documents, SourceKind } from '../site/documents.ts'
import { FIRST_TIME, formatKey, putDocument } from '../site/documents.ts'
import { createFirstInputs } from '../equivalence/model.ts'
import type { Stage } from '../site/stage.ts'
import { createPlace, emptyFolder } from '../site/place.ts'
import { readOptions, runInProcess } from '../site/run-in-process.ts'
import { createIndex, putEntries } from '../search/memory-index.ts'
import type { SiteFiles } from '../site/site-files.ts'
import { readSite } from '../site/site-files.ts'
import { createSource } from '../site/write-source.ts'
import { createHonestDocuments } from './made-documents.ts'
import type { AttackedState } from './open-state.ts'
import { withState } from './open-state.ts'

export interface HostileSite {
  readonly files: SiteFiles
  /** Keys of documents for which the run reported at least one problem. */
  readonly named: ReadonlySet<string>
  /** Keys of documents that the run reported as left out, or as having no page. */
  readonly without: ReadonlySet<string>
  /** Paths of pages that failed to render and that the report of the run names. */
  readonly failed: ReadonlySet<string>
  /** Renders the search page for this query. */
  readonly search: (text: string) => Promise<string>
}

interface BuildSettings {
  readonly kind: SourceKind
  readonly photos: 'off' | 'service'
}

/** An honest product with everything that a page can show. */
const WHOLE = {
  collection: 'cataloge',
  id: 'whole',
  updateTime: FIRST_TIME,
  text: JSON.stringify({
    name: 'Rosa',
    photo: 'https://firebasestorage.googleapis.com/v0/b/whole.jpg',
    price: 1_300,
    available: true,
    _5ml: { price: 300, available: true },
    _10ml: { price: 500, available: true },
    owner: { id: 'ana' },
  }),
} as const

export async function buildSite(
  documents: Documents,
  { kind, photos }: BuildSettings,
  stage: Stage,
): Promise<HostileSite> {
  const place = createPlace(emptyFolder(join(stage.folder, 'documents')), kind)
  const inputs = createFirstInputs(stage, photos)
  await createSource(
    place.source,
    kind,
    putDocument(new Map([...createHonestDocuments(), ...documents]), WHOLE),
  )
  const { outcome, words } = await runInProcess({ place, inputs, args: ['--verify'], threads: 0 })
  return {
    files: readSite(place.output),
    named: new Set(outcome.problems.map(formatKey)),
    without: new Set(outcome.problems.filter(({ fatal, field }) => fatal || field === '').map(formatKey)),
    failed: new Set(outcome.failures.map(({ path }) => path).filter((path) => words.includes(path))),
    search: await openSearch({ place, inputs }),
  }
}

async function openSearch(built: AttackedState): Promise<HostileSite['search']> {
  const index = createIndex(1)
  await withState(built, async ({ snapshot, read }) => {
    const sellers = [...snapshot.readSellers()]
    for (const part of divide(sellers, MAX_UPDATES))
      await putEntries(
        index,
        part.map((seller) => [seller, read(seller)]),
      )
  })
  const renderer = await loadRenderer(built.inputs.variant.kept.server, readOptions(built).configuration.site)
  return async (text) => {
    const query = cleanQuery(text)
    const answer = await index.search(query)
    return (await renderer.render({ kind: 'search', query, decants: 'todos', answer, notice: 'none' })).join(
      '',
    )
  }
}
