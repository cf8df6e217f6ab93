/** Documents with malicious content. */
import { expect, it } from 'vitest'
import { parseDocument } from '../../../src/domain/documents/parse-document.ts'
import { product } from '../../support/rebuild/documents.ts'

it('a path of the public folder never leads to another host or out of the folder', () => {
  for (const photo of [
    '/..//evil.example/x.png',
    '/.//evil.example/x',
    '/a/..//evil.example',
    '/%2e%2e%2f%2e%2e%2fetc/passwd',
    '/..%5c..%5cx',
  ]) {
    const entry = parseDocument(product('p', 'ana', { photo }), () => {})
    const shown = entry?.kind === 'product' ? entry.product.photo : 'x'
    expect(shown ?? '/').not.toMatch(/^\/\/|%2f|%5c/i)
  }
})

it('a reason contains no text of the document', () => {
  const reasons: string[] = []
  parseDocument(product('p', 'ana', { available: `\u001b[31m${'x'.repeat(1_000_000)}` }), ({ reason }) =>
    reasons.push(reason),
  )
  expect(reasons.join('').length).toBeLessThan(200)
})
