/** Text of documents inside a script element stays text. */
import * as fc from 'fast-check'
import { parseDocument } from 'htmlparser2'
import { expect, test } from 'vitest'
import { formatJsonLd } from '../../../src/domain/pages/json-ld.ts'

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '</SCRIPT\n>',
  '<!--<script>',
  '--> ]]> <![CDATA[',
  '&lt;/script&gt; &amp; &#60;',
  '\u2028 \u2029 \u0000 \u001F \uD800',
  '"\\" onerror="alert(1)" \\u003c',
  '__proto__',
  '😀 Ñandú “comillas”',
]

test.each(HOSTILE)('structured data keeps %j as text inside its script', (text) => {
  const value = { name: text, [text]: [text, 1, null, true] }
  const json = formatJsonLd(value)
  expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
  const page = parseDocument(`<script type="application/ld+json">${json}</script><p>after</p>`)
  expect(page.children).toHaveLength(2)
  expect(json).not.toMatch(/[<>&\u2028\u2029]/)
})

const text = fc.string({ unit: fc.constantFrom(...'<>&/!-"\\\u2028\u2029aé', '\uD800', 'script') })

test('structured data keeps any value, without characters that are special in HTML', () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), (value) => {
      const json = formatJsonLd(value)
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(json).not.toMatch(/[<>&\u2028\u2029]/)
    }),
  )
})
