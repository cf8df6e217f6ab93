/** The documents of the rehearsal: three sellers that the bundled sample does not contain. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const REHEARSED_SELLERS = ['ana', 'eva', 'luz'] as const
/** A product whose price the rehearsal changes, and its seller. */
export const REHEARSED_PRODUCT = 'ana-1'
export const REHEARSED_SELLER = 'ana'

const PRODUCTS = 3
const PRICE = 1_500

/** Writes the documents into `folder`, and returns `folder`. */
export function writeRehearsedDocuments(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const users = REHEARSED_SELLERS.map((id) => ({
    id,
    data: { fName: id.toUpperCase(), lName: 'Perfumes', whatsapp: '809-555-0100' },
  }))
  const products = REHEARSED_SELLERS.flatMap((seller) =>
    Array.from({ length: PRODUCTS }, (_, index) => createProduct(seller, index + 1)),
  )
  const write = (name: string, documents: readonly object[]): void =>
    writeFileSync(join(folder, name), documents.map((one) => `${JSON.stringify(one)}\n`).join(''))
  write('users.ndjson', users)
  write('cataloge.ndjson', products)
  return folder
}

function createProduct(seller: string, number: number): object {
  const id = `${seller}-${number}`
  const decant = { price: PRICE / 10, available: true }
  return {
    id,
    data: {
      id,
      name: `Perfume ${number}`,
      price: PRICE + number,
      available: true,
      owner: { id: seller },
      _5ml: decant,
      _10ml: decant,
    },
  }
}
