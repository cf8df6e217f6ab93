/** A folder of two NDJSON files as a source, for interchange, migration and tests. It has no change log. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Collection } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { formatFileName, parseLine } from './folder-line.ts'
import { readLines } from './read-lines.ts'
import { chooseDocuments, chooseSellers } from '../choose-items.ts'
import type { ReadySource, SourceItem } from '../source.ts'
import { SourceError } from '../source.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

const WANTED = `it must hold ${COLLECTIONS.map(formatFileName).join(' or ')}`

/**
 * Throws a `SourceError` if the folder or both of its files are missing. One file is enough. If a document is on
 * several lines, reads return every version: the caller keeps the last one, even if it is unreadable.
 */
export function openFolder(path: string): ReadySource {
  const collections = findCollections(path)
  const readAll = (): AsyncIterable<SourceItem> => readFiles(path, collections)
  return {
    label: `the folder ${path}`,
    readAll,
    readSellers: (sellers) => chooseSellers(readAll(), sellers),
    readDocuments: (keys) => chooseDocuments(readAll(), keys),
    readChanges: () => ({ kind: 'whole', reason: 'a folder has no change log' }),
    readCursor: () => null,
    // Checks nothing, because a folder cannot be read as one state. The next read finds changes made during this one.
    confirm: () => {},
    // Each read closes its own files.
    close: () => {},
  }
}

async function* readFiles(path: string, collections: readonly Collection[]): AsyncGenerator<SourceItem> {
  for (const collection of collections) {
    const file = join(path, formatFileName(collection))
    try {
      for await (const line of readLines(file)) {
        const item = parseLine(collection, line)
        if (item !== null) yield item
      }
    } catch (error) {
      throw explain(`cannot read ${file}`, 'check that it is a file that you may read', error)
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
  const why = readMessage(error)
  return new SourceError(`${what} (${why}): ${next}`, { cause: error })
}
