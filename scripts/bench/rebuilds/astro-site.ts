/**
 * Makes the same pages as Vitrina with a static Astro site: a copy of Vitrina's components that reads the data in
 * `getStaticPaths`.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import type { MeasuredCommand } from '../../measure/run-measured.ts'

/** Another generator, with the command that makes catalogue pages like those of Vitrina. */
export interface Competitor {
  readonly output: string
  readonly command: MeasuredCommand
}

const COPIED = ['src', 'public', 'tsconfig.json', 'package.json', 'package-lock.json', 'scripts/bench']
const FIXED = { 'index.astro': 'home', '404.astro': 'not-found', 'catalogo/404.astro': 'unknown-catalogue' }
const LEFT_OUT = ['catalogo/[id]', 'buscar.astro']
const CATALOGUE = 'catalogo/[id].astro'
const DATA = 'scripts/bench/rebuilds/astro/read-locals.ts'

/** Writes the Astro project into a subfolder of `folder`. `database` is the path of the database with the documents. */
export function createAstroSite(folder: string, database: string, isIncremental: boolean): Competitor {
  const own = join(folder, isIncremental ? 'astro-incremental' : 'astro')
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  for (const path of COPIED) cpSync(join(ROOT, path), join(own, path), { recursive: true })
  cpSync(join(ROOT, 'scripts/bench/rebuilds/astro/site-config.mjs'), join(own, 'astro.config.mjs'))
  symlinkSync(join(ROOT, 'node_modules'), join(own, 'node_modules'), 'junction')
  adaptPages(join(own, 'src/site/pages'))
  return {
    output: join(own, 'dist'),
    command: {
      args: [join(ROOT, 'node_modules/astro/bin/astro.mjs'), 'build', '--silent'],
      folder: own,
      environment: { BENCH_DATABASE: database, BENCH_INCREMENTAL: isIncremental ? '1' : '0' },
      watchesMemory: true,
    },
  }
}

function adaptPages(pages: string): void {
  // The compared sites have no product pages and no search.
  for (const left of LEFT_OUT) rmSync(join(pages, left), { recursive: true })
  for (const [file, kind] of Object.entries(FIXED)) {
    const code = `import { readLocals } from '${formatWay(file)}'\nconst locals = readLocals('${kind}')\n`
    adaptPage(join(pages, file), code, 'locals')
  }
  const code = `import { listCatalogues } from '${formatWay(CATALOGUE)}'\nexport const getStaticPaths = () => listCatalogues()\n`
  adaptPage(join(pages, CATALOGUE), code, 'Astro.props')
}

// Makes a page read its data from `code` instead of `Astro.locals`; all other code stays the same.
function adaptPage(file: string, code: string, locals: string): void {
  const text = readFileSync(file, 'utf8')
  if (!text.startsWith('---\n') || !text.includes('Astro.locals'))
    throw new Error(
      `${file} does not read Astro.locals: update adaptPage in scripts/bench/rebuilds/astro-site.ts`,
    )
  writeFileSync(file, `---\n${code}${text.slice(4)}`.replaceAll('Astro.locals', locals))
}

/** Returns the relative import path of `DATA` for a page, given by its path below the pages folder. */
function formatWay(file: string): string {
  return '../'.repeat(file.split('/').length + 2) + DATA
}
