/** Every file of a built site passes `check:pages`: markup, references, policy, metadata, weight and old browsers. */
import { expect, it } from 'vitest'
import { checkSite } from '../../scripts/audit/pages/check-site.ts'
import { product, user, writeFolder } from '../support/rebuild/documents.ts'
import { rebuildHere } from '../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../support/run/temporary.ts'

const path = useTemporaryFolder()

const HOSTILE = ['</script><script>x</script>', '<!--<script>', '&lt; & "\' \u2028', 'Ñandú | 5ML RD$1']

it.each([
  ['the sample', () => 'src/builder/sources/sample'],
  [
    'hostile documents',
    () =>
      writeFolder(path('hostile'), [
        user('eva', HOSTILE[0], HOSTILE[1]),
        ...HOSTILE.map((name, index) =>
          product(`p${index}`, 'eva', { name, price: index === 1 ? null : 0.5 }),
        ),
      ]),
  ],
])('the site of %s passes the check of pages', async (_, findSource) => {
  const place = { source: findSource(), output: path('dist'), state: path('state') }
  const { report } = await rebuildHere({ ...place, env: { PRODUCT_PAGES: 'on' } })
  expect(report.exit).toBe(0)
  const { problems, kinds } = await checkSite(path('dist'))
  expect(problems).toEqual([])
  expect(kinds.get('catalogue')?.count).toBeGreaterThan(0)
})
