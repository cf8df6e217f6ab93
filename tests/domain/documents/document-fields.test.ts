import { expect, it } from 'vitest'
import type { DocumentFields } from '../../../src/domain/documents/document-fields.ts'
import { DOCUMENT_FIELDS } from '../../../src/domain/documents/document-fields.ts'
import { parseProduct } from '../../../src/domain/documents/product.ts'
import { parseProfile } from '../../../src/domain/documents/seller.ts'

const PRODUCT = { name: 'Agua', owner: { id: 'ana' }, _5ml: {}, _10ml: {} }

/** Returns the document, and the paths of the fields that are read of it from now on. */
function watch(document: object): { readonly read: Set<string>; readonly data: object } {
  const read = new Set<string>()
  const wrap = (value: object, path: string): object =>
    new Proxy(value, {
      getOwnPropertyDescriptor: (target, key) => {
        read.add(path + String(key))
        return Reflect.getOwnPropertyDescriptor(target, key)
      },
      get: (target, key) => {
        const found: unknown = Reflect.get(target, key)
        return typeof found === 'object' && found !== null ? wrap(found, `${path}${String(key)}.`) : found
      },
    })
  return { read, data: wrap(document, '') }
}

function listPaths(fields: DocumentFields): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.type === 'map') return [name, ...listPaths(field.fields).map((inner) => `${name}.${inner}`)]
    return field.type === 'owner' ? [name, `${name}.id`] : [name]
  })
}

it('the fields that are declared are those that are read of a product, whose id is that of its document, and of a profile', () => {
  const product = watch(PRODUCT)
  parseProduct('p', product.data, () => {})
  const { id: _, ...fields } = DOCUMENT_FIELDS.cataloge
  expect([...product.read].toSorted()).toEqual(listPaths(fields).toSorted())
  const profile = watch({})
  parseProfile(profile.data, () => {})
  expect([...profile.read].toSorted()).toEqual(listPaths(DOCUMENT_FIELDS.users).toSorted())
})
