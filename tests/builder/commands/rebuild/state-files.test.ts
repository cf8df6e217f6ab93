/** The repair of a state: it removes only damaged files. */
import { existsSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import { command as deploy } from '../../../../src/builder/commands/deploy/deploy.ts'
import { removeState } from '../../../../src/builder/commands/rebuild/state-files.ts'
import { openLiveFile } from '../../../../src/builder/publish/live-file.ts'
import { openPublishedState } from '../../../../src/builder/publish/published-state.ts'
import { damageDatabase } from '../../../support/rebuild/damage-database.ts'
import { product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import { rebuildHere, runHere } from '../../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
const ENVIRONMENT = { SITE_URL: 'https://vitrina.do', PHOTOS: 'off', PRODUCT_PAGES: 'on' }
const FOLDERS = () => ['--out', path('dist'), '--state', path('state')]

const listState = (): readonly string[] =>
  ['snapshot', 'record', 'published'].filter((name) => existsSync(path('state', `${name}.sqlite`)))

/** Builds a site, of which the list of published files is damaged. */
beforeEach(async () => {
  writeFolder(path('data'), [user('ana'), product('uno', 'ana')])
  const place = { source: path('data'), output: path('dist'), state: path('state'), env: ENVIRONMENT }
  await rebuildHere(place)
  const file = path('state/published.sqlite')
  const published = openPublishedState(file, openLiveFile(path('state/live.json')))
  for (let index = 0; index < 1_000; index += 1) published.keep(`catalogo/seller-${index}.html`, 'x', [])
  published.close()
  damageDatabase(file)
})

it('keeps the snapshot and the record of a state whose list of published files is damaged', () => {
  removeState(path('state'))
  expect(listState()).toEqual(['snapshot', 'record'])
})

it('lets a deploy make the list anew', async () => {
  const args = [...FOLDERS(), '--dry-run']
  const { code, said } = await runHere({ name: 'deploy', definition: deploy }, args, ENVIRONMENT)
  expect([code, said]).toEqual([0, expect.stringContaining('To be published')])
  expect(listState()).toEqual(['snapshot', 'record', 'published'])
})

it('makes a deploy say what repairs a damaged record', async () => {
  damageDatabase(path('state/record.sqlite'))
  const args = [...FOLDERS(), '--dry-run']
  const { code, said } = await runHere({ name: 'deploy', definition: deploy }, args, ENVIRONMENT)
  expect([code, said]).toEqual([1, expect.stringContaining('run npm run rebuild')])
})
