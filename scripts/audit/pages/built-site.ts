/** A built site on disk: its files, and which of them are pages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageKind } from '../../../src/domain/documents/page-table.ts'
import { isTextKind } from '../../../src/domain/documents/page-table.ts'
import { findPage } from '../../../src/domain/documents/page-address.ts'
import { formatPath } from '../../../src/builder/state/manifest.ts'
import { IDENTITY_FILE } from '../../../src/builder/state/output/output-identity.ts'
import { PARTIAL } from '../../../src/builder/state/output/output.ts'

export interface BuiltSite {
  /** Relative paths of the files, with `/` as separator, without files that are never published. */
  readonly paths: ReadonlySet<string>
  read(path: string): string
}

/** Throws when there is no such folder. */
export function openBuiltSite(folder: string): BuiltSite {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = files.map((entry) => formatPath(join(entry.parentPath, entry.name).slice(folder.length + 1)))
  return {
    paths: new Set(paths.filter((path) => path !== IDENTITY_FILE && !path.startsWith(`${PARTIAL}/`)).sort()),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
  }
}

/** Returns `null` for a file that is not rendered by Astro. */
export function findKind(path: string): PageKind | null {
  const kind = findPage(path)?.kind
  return kind === undefined || isTextKind(kind) ? null : kind
}
