/** Mistakes that let one seller harm another one, or a text of hers be taken for something else. */
import type { Mutation } from '../mutation.ts'

export const HOSTILE_MUTATIONS: readonly Mutation[] = [
  {
    name: 'hostile: write brackets into attributes',
    file: 'src/builder/renderer/escaped-attributes.ts',
    text: "text.includes('<') || text.includes('>')",
    broken: "text.includes('<') && text === ''",
    catchers: ['hostile'],
  },
  {
    name: 'hostile: let structured data end its script',
    file: 'src/domain/pages/json-ld.ts',
    text: 'const UNSAFE = /[<>&',
    broken: 'const UNSAFE = /[&',
    catchers: ['hostile'],
  },
  {
    name: 'hostile: show a photo of any scheme',
    file: 'src/domain/documents/product.ts',
    text: "return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null",
    broken: 'return url.href',
    catchers: ['hostile'],
  },
  {
    name: 'hostile: leave out a product without a name, and say nothing',
    file: 'src/domain/documents/product.ts',
    text: "complain('name', typeof raw === 'string' ? 'is blank' : 'is not a string', true)",
    broken: '',
    catchers: ['hostile'],
  },
  {
    name: 'hostile: end the feed at a seller that cannot be updated',
    file: 'src/builder/publish/search/send-divided.ts',
    text: 'if (!isAnswering) throw error',
    broken: 'throw error',
    catchers: ['hostile'],
  },
  {
    name: 'hostile: refuse a site because of a page that never was',
    file: 'src/builder/rebuild/find-references.ts',
    text: '(seller !== undefined && unfinished.has(seller))',
    broken: "(seller === '' && unfinished.has(seller))",
    catchers: ['hostile', 'tests/builder/rebuild/hostile-seller.test.ts'],
  },
  {
    name: 'hostile: let the removals of one seller stop all others',
    file: 'src/builder/rebuild/shrink-guard.ts',
    text: 'isHeld: isOfOneSeller }',
    broken: 'isHeld: () => false }',
    catchers: ['hostile'],
  },
  {
    name: 'hostile: show any number of products of a seller',
    file: 'src/builder/state/snapshot/limit-products.ts',
    text: 'return products > most ? most : null',
    broken: 'return products > most * 1e3 ? most : null',
    catchers: ['hostile'],
  },
]
