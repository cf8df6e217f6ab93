/** `rebuild --watch` with Firestore: its listeners determine which pages are rendered. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { product, user } from '../../../support/rebuild/documents.ts'
import { useFirestore } from '../../../support/firestore/firestore.ts'
import { useWatch } from '../../../support/rebuild/watched-rebuild.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
const openProject = useFirestore()
const watchSource = useWatch(path)
const readPage = (seller: string): string => readFileSync(path(`dist/catalogo/${seller}.html`), 'utf8')

it('renders the page of a changed document, and both pages of a moved one', async () => {
  const project = openProject()
  await project.write([user('ana'), product('uno', 'ana'), user('eva'), product('dos', 'eva')])
  const { next, stop } = watchSource('firestore', {
    FIREBASE_PROJECT_ID: project.id,
    FIRESTORE_EMULATOR_HOST: project.options.emulatorHost ?? '',
  })
  expect((await next()).pages.rendered).toBe(2)
  await project.write([product('uno', 'ana', { price: 4321 })])
  expect(await next()).toMatchObject({ exit: 0, reads: 2, pages: { rendered: 1, unchanged: 1 } })
  expect(readPage('ana')).toContain('RD$4,321')
  await project.write([product('uno', 'eva')])
  expect((await next()).pages.rendered).toBe(2)
  expect(readPage('eva')).toContain('Perfume uno')
  expect(readPage('ana')).not.toContain('Perfume uno')
  expect(await stop()).toBe(0)
})
