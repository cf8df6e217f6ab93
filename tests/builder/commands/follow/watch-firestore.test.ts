/** `rebuild --watch` with Firestore: its listeners determine which pages are rendered. */
import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import type { RebuildReport } from '../../../../src/builder/commands/rebuild/rebuild-report.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { useFirestore } from '../../../support/firestore/firestore.ts'
import { ROOT } from '../../../../src/builder/state/project-folder.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
const openProject = useFirestore()
const readPage = (seller: string): string => readFileSync(path(`dist/catalogo/${seller}.html`), 'utf8')

let child: ChildProcessByStdio<null, Readable, null> | null = null
afterEach(() => {
  child?.kill('SIGKILL')
})

it('renders the page of a changed document, and both pages of a moved one', async () => {
  const project = openProject()
  await project.write([user('ana'), product('uno', 'ana'), user('eva'), product('dos', 'eva')])
  const args = [
    'scripts/vitrina.mjs',
    'rebuild',
    '--watch',
    '--json',
    '--source',
    'firestore',
    '--out',
    path('dist'),
  ]
  const started = spawn(process.execPath, [...args, '--state', path('state')], {
    cwd: ROOT,
    env: {
      ...process.env,
      FIREBASE_PROJECT_ID: project.id,
      FIRESTORE_EMULATOR_HOST: project.options.emulatorHost ?? '',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child = started
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<RebuildReport> =>
    JSON.parse(String((await lines.next()).value)) as RebuildReport

  expect((await next()).pages.rendered).toBe(2)
  await project.write([product('uno', 'ana', { price: 4321 })])
  expect(await next()).toMatchObject({ exit: 0, reads: 2, pages: { rendered: 1, unchanged: 1 } })
  expect(readPage('ana')).toContain('RD$4,321')
  await project.write([product('uno', 'eva')])
  expect((await next()).pages.rendered).toBe(2)
  expect(readPage('eva')).toContain('Perfume uno')
  expect(readPage('ana')).not.toContain('Perfume uno')
  started.kill('SIGINT')
  expect(await once(started, 'exit')).toEqual([0, null])
})
