/** A folder of two NDJSON files as a source: for interchange, migration and tests. It cannot tell what changed. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Collection } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { formatFileName, parseLine } from './folder-line.ts'
import { readLines } from './read-lines.ts'
import { findSeller } from '../owner.ts'
import type { SourceChanges, DocumentKey, Source, SourceItem } from '../source.ts'
import { SourceError } from '../source.ts'

type Choose = (item: SourceItem) => boolean

const WANTED = `it must hold ${COLLECTIONS.map(formatFileName).join(' and ')}`

/** Throws a `SourceError` when the folder or both of its files are missing; one alone may be. */
export function openFolder(path: string): Source {
  return new FolderSource(path, findCollections(path))
}

/** A document that stands on two lines is handed on twice: whoever gathers them keeps the newest. */
class FolderSource implements Source {
  readonly label: string
  readonly readsWhole = true
  readonly #path: string
  readonly #collections: readonly Collection[]

  constructor(path: string, collections: readonly Collection[]) {
    this.label = `the folder ${path}`
    this.#path = path
    this.#collections = collections
  }

  readAll(): AsyncIterable<SourceItem> {
    return this.#read(() => true)
  }

  /** With every unreadable line too: it may be anyone's. */
  readSellers(sellers: readonly string[]): AsyncIterable<SourceItem> {
    const wanted = new Set<string | null>(sellers)
    return this.#read((item) => item.kind === 'unreadable' || wanted.has(findSeller(item.document)))
  }

  readDocuments(keys: readonly DocumentKey[]): AsyncIterable<SourceItem> {
    const wanted = new Set(keys.map(formatKey))
    return this.#read((item) =>
      wanted.has(formatKey(item.kind === 'document' ? item.document : item.problem)),
    )
  }

  readChanges(): SourceChanges {
    return { kind: 'whole', reason: 'a folder does not tell what changed' }
  }

  readCursor(): null {
    return null
  }

  close(): void {
    // Nothing stays open: each file is closed with the reading that opened it.
  }

  async *#read(choose: Choose): AsyncGenerator<SourceItem> {
    for (const collection of this.#collections) {
      const file = join(this.#path, formatFileName(collection))
      try {
        for await (const line of readLines(file)) {
          const item = parseLine(collection, line)
          if (item !== null && choose(item)) yield item
        }
      } catch (error) {
        throw explain(`cannot read ${file}`, 'see that it is a file that you may read', error)
      }
    }
  }
}

function findCollections(path: string): readonly Collection[] {
  const files = listFolder(path)
  const collections = COLLECTIONS.filter((collection) => files.has(formatFileName(collection)))
  if (collections.length > 0) return collections
  throw new SourceError(`the folder ${path} holds no documents: ${WANTED}`)
}

function listFolder(path: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(path))
  } catch (error) {
    throw explain(`cannot read the folder ${path}`, `name an existing folder; ${WANTED}`, error)
  }
}

function explain(what: string, next: string, error: unknown): SourceError {
  const why = error instanceof Error ? error.message : String(error)
  return new SourceError(`${what} (${why}): ${next}`, { cause: error })
}

function formatKey({ collection, id }: DocumentKey): string {
  return `${collection}/${id}`
}
