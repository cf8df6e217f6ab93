/**
 * Reads the retained files from a record: files of earlier publishes, hashed assets counted by generations, pictures
 * by publishes.
 */
import { DatabaseSync } from 'node:sqlite'
import { readPublishes } from '../../../src/builder/state/record/record-meta.ts'
import type { SitePlace } from './place.ts'
import { findState } from './place.ts'

export interface RetainedFile {
  readonly path: string
  readonly digest: string
  /** The number of publishes, or of generations, since it was last shown. */
  readonly age: number
}

const READ = "SELECT path, digest, kind, generation FROM files WHERE kind IN ('retained', 'unshown')"

export function readRetained(place: SitePlace): readonly RetainedFile[] {
  const database = new DatabaseSync(findState(place, 'record'), { readOnly: true })
  try {
    const newest = Number(database.prepare('SELECT max(id) AS id FROM generations').get()?.['id'])
    const publishes = readPublishes(database)
    return database
      .prepare(READ)
      .all()
      .map((row) => ({
        path: String(row['path']),
        digest: String(row['digest']),
        age: (row['kind'] === 'unshown' ? publishes : newest) - Number(row['generation']),
      }))
  } finally {
    database.close()
  }
}
