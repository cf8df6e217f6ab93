/** Checks the pages of a built site, those that its service worker makes of them, and those of its search. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listAnswers } from '../../../src/builder/rebuild/check/find-references.ts'
import { SERVICE_WORKER } from '../../../src/builder/rebuild/static/service-worker.ts'
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

/** Pages that are no files of the site, by name. */
export type MadePages = ReadonlyMap<string, string>

/** `folder` is the built site, `answers` are pages of its search. */
export async function checkFolder(
  folder: string,
  checker: Checker,
  answers: MadePages = new Map(),
): Promise<HtmlReport> {
  const site = openBuiltSite(folder)
  const pages = [...site.paths].filter((path) => findKind(path) !== null)
  const catalogues = pages.filter((path) => findKind(path) === 'catalogue')
  const chosen = pages.filter((path) => !catalogues.slice(MAX_CATALOGUES).includes(path))
  const made = mkdtempSync(join(tmpdir(), 'vitrina-made-'))
  try {
    const offline = await makeOfflinePages(site, catalogues[0] ?? 'index.html')
    const files = [
      ...chosen.map((path) => join(folder, path)),
      ...writePages(new Map([...offline, ...answers]), made),
    ]
    const messages = await checker.check(files)
    const problems = messages.map(({ file, line, text }) => {
      const page = file.slice((file.startsWith(made) ? made : folder).length + 1)
      return `${page}:${line} ${text}`
    })
    return { pages: files.length, problems }
  } finally {
    rmSync(made, { recursive: true })
  }
}

function writePages(pages: MadePages, folder: string): readonly string[] {
  return [...pages].map(([name, html]) => {
    const file = join(folder, `${name}.html`)
    writeFileSync(file, html)
    return file
  })
}

/** Returns none if the site's service worker is switched off. */
async function makeOfflinePages(site: BuiltSite, page: string): Promise<MadePages> {
  if (!site.paths.has(SERVICE_WORKER) || !site.paths.has('index.html')) return new Map()
  const path = page === 'index.html' ? '/' : `/${encodeURI(page).replace(/\.html$/, '')}`
  const read = (asked: string): string =>
    site.read(listAnswers(decodeURI(asked)).find((answer) => site.paths.has(answer)) ?? '404.html')
  const made = await playWorker(site.read(SERVICE_WORKER), path, read)
  return new Map(Object.entries(made ?? {}).map(([name, html]) => [`offline-${name}`, html]))
}
