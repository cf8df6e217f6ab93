/** The messages of the Nu HTML checker, as they are printed. */
import { expect, it } from 'vitest'
import { listProblems } from '../../../scripts/audit/check-html.ts'

it('names page, line and problem, without the role that Safari needs', () => {
  const messages = [
    { type: 'error', url: 'file:/site/catalogo/a%20b.html', lastLine: 2, message: 'Stray end tag “p”.' },
    {
      type: 'info',
      url: 'file:/site/index.html',
      message: 'The “list” role is unnecessary for element “ul”.',
    },
  ]
  expect(listProblems(JSON.stringify({ messages }), '/site')).toEqual([
    'catalogo/a b.html:2 Stray end tag “p”.',
  ])
})
