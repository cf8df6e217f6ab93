/** A built site on disk: its files, and which of them are pages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageKind } from '../../../src/domain/pages/page.ts'
import { isProductFile } from '../../../src/domain/pages/paths.ts'
import { formatPath } from '../../../src/builder/state/manifest.ts'
import { IDENTITY_FILE } from '../../../src/builder/state/output/output-identity.ts'
import { PARTIAL } from '../../../src/builder/state/output/output.ts'

export interface BuiltSite {
  /** Relative, separated by `/`, without those that are never published. */
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

/** Returns `null` for a file that is not a page. */
export function findKind(path: string): PageKind | null {
  if (path === 'index.html') return 'home'
  if (path === '404.html') return 'not-found'
  if (path === 'catalogo/404.html') return 'unknown-catalogue'
  if (/^catalogo\/[^/]+\.html$/.test(path)) return 'catalogue'
  if (!isProductFile(path)) return null
  return path.endsWith('/404.html') ? 'unknown-product' : 'product'
}
