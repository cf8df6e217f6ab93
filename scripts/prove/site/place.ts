/** The folders of one site, and the ways in which stories lose, copy and damage them between two runs. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readPublishes } from '../../../src/builder/state/record/record-meta.ts'
import type { SourceKind } from './documents.ts'
import type { StoryChange, SequencePart, StatePart } from '../equivalence/sequence.ts'

export interface SitePlace {
  readonly source: string
  readonly output: string
  readonly state: string
}

const PAGE = 4096

/**
 * Returns the paths of the site's source (a folder or a database file), output folder and state folder. Creates none of
 * them.
 */
export function createPlace(folder: string, kind: SourceKind): SitePlace {
  return {
    source: join(folder, kind === 'folder' ? 'documents' : 'documents.sqlite'),
    output: join(folder, 'dist'),
    state: join(folder, 'state'),
  }
}

/** Creates an empty folder. Removes any existing file or folder of that path. Returns the path. */
export function emptyFolder(folder: string): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

export function lose(place: SitePlace, part: SequencePart): void {
  for (const path of listPaths(place, part)) rmSync(path, { recursive: true, force: true })
}

/**
 * Replaces a part of `to` with a copy of the same part of `from`. Both must have the same kind of source, and no
 * process may have the part open.
 */
export function copyPart(from: SitePlace, to: SitePlace, part: SequencePart): void {
  lose(to, part)
  const targets = listPaths(to, part)
  for (const [index, source] of listPaths(from, part).entries()) {
    const target = targets[index]
    if (target === undefined || !existsSync(source)) continue
    mkdirSync(dirname(target), { recursive: true })
    cpSync(source, target, { recursive: true, preserveTimestamps: true })
  }
}

export function damageFile(
  file: string,
  how: Extract<StoryChange, { kind: 'damage file' | 'damage marker' }>['how'],
): void {
  if (how === 'delete') rmSync(file)
  else if (how === 'truncate') truncateSync(file, Math.floor(statSync(file).size / 2))
  else if (how === 'edit') appendFileSync(file, 'edited')
  else writeFileSync(`${file}.added.html`, 'added')
}

export function damageState(
  place: SitePlace,
  { part, how, place: choice }: Extract<StoryChange, { kind: 'damage state' }>,
): void {
  const file = findState(place, part)
  if (!existsSync(file)) return
  const pages = Math.max(1, Math.floor(statSync(file).size / PAGE))
  if (how === 'overwrite') writeFileSync(file, 'this is no database at all\n'.repeat(300))
  else truncateSync(file, PAGE * (choice % pages))
}

/** Replaces the source with a file that is not a source. Returns a function that restores the source. */
export function breakSource(place: SitePlace): () => void {
  const aside = `${place.source}.aside`
  renameSync(place.source, aside)
  writeFileSync(place.source, 'neither a folder nor a database')
  return () => {
    rmSync(place.source)
    renameSync(aside, place.source)
  }
}

export function findState(place: SitePlace, part: StatePart): string {
  return join(place.state, `${part}.sqlite`)
}

function listPaths(place: SitePlace, part: SequencePart): readonly string[] {
  if (part === 'dist') return [place.output]
  const file = part === 'source' ? place.source : findState(place, part)
  return ['', '-wal', '-shm', '-journal'].map((suffix) => file + suffix)
}

/**
 * A file of an earlier publish. The age of a picture is counted in publishes, the age of a hashed asset in publishes or
 * generations, whichever are fewer.
 */
export interface RetainedFile {
  readonly path: string
  readonly digest: string
  /**
   * For a hashed asset, the number of generations or publishes since the first one without it; for a picture, the
   * number of publishes since the last page dropped it.
   */
  readonly age: number
}

const READ = "SELECT path, digest, kind, generation, data FROM files WHERE kind IN ('retained', 'unshown')"

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
        age:
          row['kind'] === 'unshown'
            ? publishes - Number(row['generation'])
            : Math.min(newest - Number(row['generation']), publishes - Number(row['data'])),
      }))
  } finally {
    database.close()
  }
}
