/** The commands that are measured on prepared sites, some with a preparation and a check of their own. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import type { Competitor } from './astro-site.ts'
import { checkEdit, editSeller, pickSeller } from '../edit-seller.ts'
import type { MadeSeller } from '../made-sellers.ts'
import { makeSeller } from '../made-sellers.ts'
import type { Subject, SubjectId } from './meter.ts'
import type { Competitors, Sites } from './prepare-sites.ts'
import type { BenchSettings, Size } from './bench-settings.ts'
import { BENCH_SIZES } from './bench-settings.ts'
import type { BenchSite } from './bench-site.ts'
import { createRebuild } from './bench-site.ts'

/**
 * Empties folders before a command. Moves the files away, because the deletion of thousands of files slows the next
 * command.
 */
type Empty = (...folders: readonly string[]) => undefined

/** Returns a function that moves folders into the folder `aside`. */
export function createEmpty(aside: string): Empty {
  return (...folders) => {
    for (const folder of folders) setAside(folder, aside)
  }
}

/** Returns commands that take about a second or less. */
export function createShortSubjects(
  sites: Sites,
  { eleventySmall }: Competitors,
  empty: Empty,
): readonly Subject[] {
  // Memory is measured only during the warm-up, as for the short commands of this project, because reading the memory
  // slows a program.
  const eleventy = { ...eleventySmall, command: { ...eleventySmall.command, watchesMemory: false } }
  return [
    { id: 'bare', command: { args: ['-e', '0'], folder: ROOT } },
    ...BENCH_SIZES.flatMap((size) => [createOne(`one-${size}`, sites[size]), createNone(size, sites[size])]),
    createEmptied('eleventy-small', eleventy, empty),
    { id: 'full-small', command: createRebuild(sites.small, '--full') },
  ]
}

/** Returns commands that render, write or read all pages of many sellers. */
export function createLongSubjects(
  { middle: site }: Sites,
  { database, astro, incremental, eleventy }: Competitors,
  empty: Empty,
): readonly Subject[] {
  return [
    createEmptied('astro', astro, empty),
    {
      id: 'new',
      command: { ...createRebuild(site), watchesMemory: true },
      prepare: () => empty(site.output, site.state),
    },
    createEmptied('eleventy', eleventy, empty),
    { id: 'full', command: { ...createRebuild(site, '--full'), watchesMemory: true } },
    {
      id: 'astro-incremental',
      command: incremental.command,
      prepare: createEditing(database, incremental.output, (turn) => pickSeller(site.sellers, turn)),
    },
  ]
}

/**
 * Returns the subject that measures a changed price of the largest seller. That seller was generated last, so its
 * number equals the number of other sellers.
 */
export function createCrowdedSubject(
  site: BenchSite,
  { products, others }: BenchSettings['crowded'],
): Subject {
  const seller = makeSeller(others, products)
  const command = { ...createRebuild(site), watchesMemory: true }
  return { id: 'crowded', command, prepare: createEditing(site.source, site.output, () => seller) }
}

/** Returns the subjects that measure a changed price and a full rebuild of a site with a page for each product. */
export function createProductSubjects(site: BenchSite): readonly Subject[] {
  return [
    createOne('products-one', site),
    { id: 'products-full', command: { ...createRebuild(site, '--full'), watchesMemory: true } },
  ]
}

// Empties only the output, so that the other generator keeps its caches.
function createEmptied(id: SubjectId, { command, output }: Competitor, empty: Empty): Subject {
  return { id, command, prepare: () => empty(output) }
}

function createOne(id: SubjectId, site: BenchSite): Subject {
  const prepare = createEditing(site.source, site.output, (turn) => pickSeller(site.sellers, turn))
  return { id, command: createRebuild(site), prepare }
}

function createNone(size: Size, site: BenchSite): Subject {
  return { id: `none-${size}`, command: createRebuild(site) }
}

function createEditing(
  database: string,
  output: string,
  pick: (turn: number) => MadeSeller,
): () => () => void {
  let turn = 0
  return () => {
    turn += 1
    const edit = editSeller(database, pick(turn), turn)
    return () => checkEdit(output, edit)
  }
}

/**
 * Moves `folder` into the folder `aside` on the same file system, and frees the space of its files. Deleting the files
 * would slow the next command: for at least a minute, ext4 without a journal avoids the inodes of deleted files, and
 * searches past all of them for each new file. After 10,000 deletions these searches take longer than rendering the
 * pages.
 * Source: `recently_deleted` in Linux's fs/ext4/ialloc.c
 */
function setAside(folder: string, aside: string): void {
  if (!existsSync(folder)) return
  mkdirSync(aside, { recursive: true })
  const place = join(mkdtempSync(join(aside, 'emptied-')), 'files')
  renameSync(folder, place)
  const entries = readdirSync(place, { recursive: true, withFileTypes: true })
  for (const entry of entries) if (entry.isFile()) truncateSync(join(entry.parentPath, entry.name))
}
