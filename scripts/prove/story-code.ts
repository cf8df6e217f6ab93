/**
 * Other code of the builder, as a story plays it: the same functions with an effect that shows, and another hash. With
 * number 0 the code is as it is.
 */
import { isRecord } from '../../src/domain/documents/json.ts'
import type { CodeHashes } from '../../src/builder/rebuild/world.ts'
import type { Renderer } from '../../src/builder/renderer/load-renderer.ts'
import type { LookedUp, Source, UnchangedItem } from '../../src/builder/sources/source.ts'
import type { Snapshot } from '../../src/builder/state/snapshot/snapshot.ts'

export type CodeGroup = keyof CodeHashes

/** The number of the code of each group. */
export type StoryCode = Readonly<Record<CodeGroup, number>>

export const FIRST_CODE: StoryCode = { intake: 0, pageData: 0, rendering: 0 }

export function hashStoryCode(hashes: CodeHashes, code: StoryCode): CodeHashes {
  const format = (group: CodeGroup): string =>
    code[group] === 0 ? hashes[group] : `${hashes[group]} ${code[group]}`
  return { intake: format('intake'), pageData: format('pageData'), rendering: format('rendering') }
}

/** Every product gets another name as it is read. */
export function changeIntake(source: Source, { intake }: StoryCode): Source {
  if (intake === 0) return source
  async function* change<T extends LookedUp | UnchangedItem>(items: AsyncIterable<T>): AsyncIterable<T> {
    for await (const item of items)
      yield item.kind === 'document' ? { ...item, document: rename(item) } : item
  }
  const rename = ({ document }: Extract<LookedUp, { kind: 'document' }>): typeof document => {
    const { data } = document
    if (!isRecord(data) || typeof data['name'] !== 'string') return document
    return { ...document, data: { ...data, name: `${data['name']} ${intake}` } }
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

/** Every seller gets another name on its page. */
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

/** Every screen gets a comment. */
export function changeRendering(renderer: Renderer, { rendering }: StoryCode): Renderer {
  if (rendering === 0) return renderer
  const comment = Buffer.from(`<!-- ${rendering} -->`)
  return { render: async (page) => Buffer.concat([Buffer.from(await renderer.render(page)), comment]) }
}
