/** The check with the Nu HTML checker: what it is given and what it says, with a twin of the checker. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkFolder } from '../../../scripts/audit/html/check-folder.ts'
import type { CheckerMessage } from '../../../scripts/audit/html/open-checker.ts'
import { openChecker, readMessages } from '../../../scripts/audit/html/open-checker.ts'
import { RETIRED } from '../../../src/builder/rebuild/static/service-worker.ts'
import { UsageError } from '../../../src/builder/state/usage-error.ts'
import { ROOT } from '../../support/rebuild/rebuild.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const WORKER = readFileSync(join(ROOT, 'public/service-worker.js'), 'utf8')
const LINE = '<p class="kept" hidden>Del <span class="kept-at"></span></p>'
const PLAIN =
  '<template id="sin-conexion" data-title="Sin conexión"><h1>Nada</h1><nav hidden><ul role="list"></ul></nav></template>'

/** Returns the pages that the checker is given, by name. */
async function readChecked(
  worker: string,
  answers?: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  mkdirSync(path('dist/catalogo'), { recursive: true })
  const pages = {
    'index.html': `<title>Inicio | Vitrina</title><main>${LINE}${PLAIN}</main>`,
    '404.html': '<main></main>',
    'catalogo/ñandú.html': `<title>Ñandú &amp; | Vitrina</title><main>${LINE}</main>`,
    'service-worker.js': worker,
  }
  for (const [name, text] of Object.entries(pages)) writeFileSync(path(`dist/${name}`), text)
  const checked = new Map<string, string>()
  const check = async (files: readonly string[]): Promise<readonly CheckerMessage[]> => {
    for (const file of files)
      checked.set(file.replace(/^.*\/(dist\/|vitrina-made-[^/]*)/, ''), readFileSync(file, 'utf8'))
    return []
  }
  await checkFolder(path('dist'), { check }, answers)
  return checked
}

it('checks each page, a kept one with its date, and the plain one that leads to it', async () => {
  const checked = await readChecked(WORKER)
  expect([...checked.keys()].toSorted()).toEqual([
    '/offline-kept.html',
    '/offline-plain.html',
    '404.html',
    'catalogo/ñandú.html',
    'index.html',
  ])
  expect(checked.get('/offline-kept.html')).toMatch(/<p class="kept">Del <time datetime="[\d-]+T[\d:.]+Z">\d/)
  expect(checked.get('/offline-plain.html')).toBe(
    '<title>Sin conexión</title><main><h1>Nada</h1><nav><ul role="list"><li><a class="pill" href="/catalogo/%C3%B1and%C3%BA">Ñandú &amp;</a></li></ul></nav></main>',
  )
})

it('checks pages of the search', async () => {
  const answers = new Map([['search-nothing-found', '<h1>Nada</h1>']])
  const checked = await readChecked(RETIRED, answers)
  expect(checked.get('/search-nothing-found.html')).toBe('<h1>Nada</h1>')
})

it('checks the pages alone if the service worker is switched off', async () => {
  expect([...(await readChecked(RETIRED)).keys()]).toEqual(['404.html', 'catalogo/ñandú.html', 'index.html'])
})

it('names page, line and problem', async () => {
  mkdirSync(path('dist'))
  const message = { file: path('dist/index.html'), line: 3, text: 'Stray end tag “p”.' }
  const report = await checkFolder(path('dist'), { check: async () => [message] })
  expect(report).toEqual({ pages: 0, problems: ['index.html:3 Stray end tag “p”.'] })
})

it('reads what the checker says, without the role that Safari needs', () => {
  const messages = [
    { type: 'error', url: 'file:/site/catalogo/a%20b.html', lastLine: 2, message: 'Stray end tag “p”.' },
    {
      type: 'info',
      url: 'file:/site/index.html',
      message: 'The “list” role is unnecessary for element “ul”.',
    },
  ]
  expect(readMessages(JSON.stringify({ messages }))).toEqual([
    { file: '/site/catalogo/a b.html', line: 2, text: 'Stray end tag “p”.' },
  ])
})

it('says what to install where there is no Java', async () => {
  const tool = { name: 'vnu-jar', version: '0.0.0', folder: path('tool') }
  const opened = openChecker(tool, () => {}, path('no-java'))
  await expect(opened).rejects.toThrow(UsageError)
  await expect(opened).rejects.toThrow(/needs Java 17.*apt-get install default-jre-headless/)
})
