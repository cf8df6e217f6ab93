/** A built site on disk: its files, and which of them are pages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageKind } from '../../../src/domain/documents/page-table.ts'
import { isTextKind } from '../../../src/domain/documents/page-table.ts'
import { findPage } from '../../../src/domain/documents/page-address.ts'
import { formatPath } from '../../../src/builder/files/file-hashes.ts'
import { PARTIAL } from '../../../src/builder/state/output.ts'

export interface BuiltSite {
  /** Paths relative to the folder, with `/` as separator. Files that are never published are omitted. */
  readonly paths: ReadonlySet<string>
  read(path: string): string
}

/** Throws if the folder does not exist. */
export function openBuiltSite(folder: string): BuiltSite {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = files.map((entry) => formatPath(join(entry.parentPath, entry.name).slice(folder.length + 1)))
  return {
    paths: new Set(paths.filter((path) => !path.startsWith(`${PARTIAL}/`)).sort()),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
  }
}

/** Returns the kind of page of a file; `null` if the file is not a page that Astro renders. */
export function findKind(path: string): PageKind | null {
  const kind = findPage(path)?.kind
  return kind === undefined || isTextKind(kind) ? null : kind
}
