/** Makes the same pages with a static Astro site: a copy of this project's components with the data of all pages. */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ASTRO } from '../../../src/builder/commands/local/dev.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import type { Generator } from './generator.ts'

const COPIED = ['src', 'scripts', 'public', 'tsconfig.json', 'package.json', 'package-lock.json']
const PAGES = 'src/site/pages'
const CATALOGUE = 'catalogo/[id].astro'

/** Lists the catalogues instead of reading the page of a request. */
const PATHS = `
import { loadCatalogues, SITE } from '../../../../scripts/bench/others/generator.ts'
import { NO_PICTURES } from '../../../domain/photos/picture.ts'
export const getStaticPaths = () =>
  loadCatalogues(process.env.BENCH_DATABASE).map((catalogue) => ({
    params: { id: catalogue.seller },
    props: { site: SITE, page: { kind: 'catalogue', catalogue, pictures: NO_PICTURES } },
  }))`

/** Writes the Astro project into the folder `own`. `database` is the path of the database with the documents. */
export function createAstroSite(own: string, database: string): Generator {
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  for (const path of COPIED) cpSync(join(ROOT, path), join(own, path), { recursive: true })
  cpSync(join(ROOT, 'scripts/bench/others/astro-config.mjs'), join(own, 'astro.config.mjs'))
  symlinkSync(join(ROOT, 'node_modules'), join(own, 'node_modules'), 'junction')
  const pages = join(own, PAGES)
  for (const file of globSync('**/*.astro', { cwd: pages })) if (file !== CATALOGUE) rmSync(join(pages, file))
  const text = readFileSync(join(pages, CATALOGUE), 'utf8')
  writeFileSync(
    join(pages, CATALOGUE),
    text.replace('---', `---${PATHS}`).replaceAll('Astro.locals', 'Astro.props'),
  )
  return {
    name: 'Astro',
    build: (output) => ({
      args: [ASTRO, 'build', '--silent', '--outDir', output],
      folder: own,
      environment: { BENCH_DATABASE: database },
    }),
  }
}
