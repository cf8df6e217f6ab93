/** Checks the pages of a built site, and those that its service worker makes of them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listAnswers } from '../../../src/builder/rebuild/find-references.ts'
import { SERVICE_WORKER } from '../../../src/builder/rebuild/service-worker.ts'
import type { BuiltSite } from '../pages/built-site.ts'
import { findKind, openBuiltSite } from '../pages/built-site.ts'
import type { Checker } from './open-checker.ts'
import { playWorker } from './play-worker.ts'

export interface HtmlReport {
  readonly pages: number
  /** Each begins with the page. */
  readonly problems: readonly string[]
}

/** Max catalogues: they share their markup. */
const MAX_CATALOGUES = 100

/** `folder` is the built site. */
export async function checkFolder(folder: string, checker: Checker): Promise<HtmlReport> {
  const site = openBuiltSite(folder)
  const pages = [...site.paths].filter((path) => findKind(path) !== null)
  const catalogues = pages.filter((path) => findKind(path) === 'catalogue')
  const chosen = pages.filter((path) => !catalogues.slice(MAX_CATALOGUES).includes(path))
  const offline = mkdtempSync(join(tmpdir(), 'vitrina-offline-'))
  try {
    const made = await writeOfflinePages(site, catalogues[0] ?? 'index.html', offline)
    const files = [...chosen.map((path) => join(folder, path)), ...made]
    const messages = await checker.check(files)
    const problems = messages.map(({ file, line, text }) => {
      const page = file.startsWith(offline) ? file.slice(offline.length + 1) : file.slice(folder.length + 1)
      return `${page}:${line} ${text}`
    })
    return { pages: files.length, problems }
  } finally {
    rmSync(offline, { recursive: true })
  }
}

/** Returns the files; none if the site's service worker is switched off. */
async function writeOfflinePages(site: BuiltSite, page: string, folder: string): Promise<readonly string[]> {
  if (!site.paths.has(SERVICE_WORKER) || !site.paths.has('index.html')) return []
  const path = page === 'index.html' ? '/' : `/${encodeURI(page).replace(/\.html$/, '')}`
  const read = (asked: string): string =>
    site.read(listAnswers(decodeURI(asked)).find((answer) => site.paths.has(answer)) ?? '404.html')
  const made = await playWorker(site.read(SERVICE_WORKER), path, read)
  return Object.entries(made ?? {}).map(([name, html]) => {
    const file = join(folder, `offline-${name}.html`)
    writeFileSync(file, html)
    return file
  })
}
