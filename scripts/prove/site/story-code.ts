/** Simulates changed code of the builder: the real functions with a visible additional effect, and another hash. */
import { isRecord } from '../../../src/domain/documents/json.ts'
import type { Doc, Documents, SourceKind } from './documents.ts'
import { isAmbiguous } from './documents.ts'
import type { CodeHashes } from '../../../src/builder/rebuild/world.ts'
import type { Renderer } from '../../../src/builder/renderer/load-renderer.ts'
import type { Items, LookedUp, Source, UnchangedItem } from '../../../src/builder/sources/source.ts'
import type { Snapshot } from '../../../src/builder/state/snapshot/snapshot.ts'

export type CodeGroup = keyof CodeHashes

/** Version number of the code of each group; 0 for the unchanged code. */
export type StoryCode = Readonly<Record<CodeGroup, number>>

export const FIRST_CODE: StoryCode = { intake: 0, pageData: 0, rendering: 0 }

export function hashStoryCode(hashes: CodeHashes, code: StoryCode): CodeHashes {
  const format = (group: CodeGroup): string =>
    code[group] === 0 ? hashes[group] : `${hashes[group]} ${code[group]}`
  return { intake: format('intake'), pageData: format('pageData'), rendering: format('rendering') }
}

/**
 * Returns a source that appends the number of the intake code to the name of every product. With number 0, returns
 * `source` itself.
 */
export function changeIntake(source: Source, { intake }: StoryCode): Source {
  if (intake === 0) return source
  async function* change<T extends LookedUp | UnchangedItem>(items: Items<T>): AsyncIterable<T> {
    for await (const item of items)
      yield item.kind === 'document' ? { ...item, document: rename(item) } : item
  }
  const rename = ({ document }: Extract<LookedUp, { kind: 'document' }>): typeof document => {
    return { ...document, data: renameProduct(document.data, intake) }
  }
  const { readModified } = source
  return {
    ...source,
    readAll: () => change(source.readAll()),
    ...(readModified && { readModified: (isUnchanged) => change(readModified(isUnchanged)) }),
    readSellers: (sellers) => change(source.readSellers(sellers)),
    readDocuments: (keys) => change(source.readDocuments(keys)),
  }
}

/** Returns the documents as the intake code with this number reads them. */
export function readAllBy(documents: Documents, intake: number, kind: SourceKind): Documents {
  if (intake === 0) return documents
  return new Map([...documents].map(([key, doc]) => [key, readOne(doc, intake, kind)]))
}

export function readOne(doc: Doc, intake: number, kind: SourceKind): Doc {
  // Keeps the text of an ambiguous document. After parsing and formatting, it would name only one owner, and the source
  // would no longer reject it.
  if (intake === 0 || (kind === 'embedded' && isAmbiguous(doc))) return doc
  return { ...doc, text: JSON.stringify(renameProduct(JSON.parse(doc.text), intake)) }
}

function renameProduct(data: unknown, intake: number): unknown {
  if (!isRecord(data) || typeof data['name'] !== 'string') return data
  return { ...data, name: `${data['name']} ${intake}` }
}

/**
 * Returns a snapshot that appends the number of the code for page data to every seller's name. With number 0, returns
 * `snapshot` itself.
 */
export function changePageData(snapshot: Snapshot, { pageData }: StoryCode): Snapshot {
  if (pageData === 0) return snapshot
  return {
    ...snapshot,
    readCatalogue: (seller) => {
      const catalogue = snapshot.readCatalogue(seller)
      return catalogue === null ? null : { ...catalogue, name: `${catalogue.name} ${pageData}` }
    },
  }
}

/**
 * Returns a renderer that appends a comment with the number of the rendering code to every page. With number 0, returns
 * `renderer` itself.
 */
export function changeRendering(renderer: Renderer, { rendering }: StoryCode): Renderer {
  if (rendering === 0) return renderer
  return { render: async (page) => [...(await renderer.render(page)), `<!-- ${rendering} -->`] }
}
