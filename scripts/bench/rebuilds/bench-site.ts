/** Creates sites of the bench on disk, and the commands that work on them. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { MOST_MAX_PRODUCTS } from '../../../src/domain/catalogue/product-limit.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import type { MeasuredCommand } from '../../measure/run-measured.ts'
import { runMeasured } from '../../measure/run-measured.ts'

export interface BenchSite {
  readonly sellers: number
  readonly hasProductPages: boolean
  readonly folder: string
  readonly source: string
  readonly output: string
  readonly state: string
}

const PROGRAM = 'scripts/vitrina.mjs'

/**
 * Creates an empty folder `name` for the site; a folder that exists already is deleted first. Sites have no product
 * pages by default, because other generators make none.
 */
export function createBenchSite(
  folder: string,
  name: string,
  { sellers, hasProductPages = false }: { readonly sellers: number; readonly hasProductPages?: boolean },
): BenchSite {
  const own = join(folder, name)
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  return {
    sellers,
    hasProductPages,
    folder: own,
    source: join(own, 'source.sqlite'),
    output: join(own, 'dist'),
    state: join(own, 'state'),
  }
}

export function createRebuild(site: BenchSite, ...options: readonly string[]): MeasuredCommand {
  return createRebuildBy(ROOT, site, ...options)
}

/** Returns the command that rebuilds the site with the code in `project`: the folder of this project or of a copy. */
export function createRebuildBy(
  project: string,
  { hasProductPages, folder, source, output, state }: BenchSite,
  ...options: readonly string[]
): MeasuredCommand {
  const places = ['--source', source, '--out', output, '--state', state]
  const environment = {
    PRODUCT_PAGES: hasProductPages ? 'on' : 'off',
    // The large site has ten times the products that a site with a search may have.
    SEARCH: 'off',
    // The largest seller of the bench has more products than the default allows.
    MAX_PRODUCTS: String(MOST_MAX_PRODUCTS),
  }
  return { args: [join(project, PROGRAM), 'rebuild', ...places, ...options], folder, environment }
}

export function createImport({ folder, source }: BenchSite, data: string): MeasuredCommand {
  return { args: [join(ROOT, PROGRAM), 'import', data, source], folder }
}

/** Imports the documents of the folder `data`, and builds all pages. Neither step is measured. */
export async function buildBenchSite(site: BenchSite, data: string): Promise<void> {
  await runMeasured(createImport(site, data))
  await runMeasured(createRebuild(site))
}

export function createExport({ folder, source }: BenchSite): MeasuredCommand {
  return {
    args: [join(ROOT, PROGRAM), 'export', source, join(folder, 'export')],
    folder,
  }
}
