/** The documents of the delivery proof in an embedded database, and edits of many sellers at once. */
import { DatabaseSync } from 'node:sqlite'
import { createEmbedded } from '../../../src/builder/sources/embedded/embedded-create.ts'
import type { Random } from '../../measure/random.ts'

export interface EditedShop {
  /** Ids of all sellers, also of those that are gone. */
  readonly ids: readonly string[]
  /** Changes about half of the sellers. Some go, others come back. */
  edit(random: Random): void
  /** Changes one product of each of the first sellers. */
  editFirst(count: number): void
  close(): void
}

const PRODUCTS = 3
const PUT = 'INSERT OR REPLACE INTO documents (collection, id, data) VALUES (?, ?, ?)'
const DROP = 'DELETE FROM documents WHERE collection = ? AND id = ?'

export async function openEditedShop(file: string, sellers: number): Promise<EditedShop> {
  await createEmbedded(file)
  const database = new DatabaseSync(file, { timeout: 10_000 })
  const [put, drop] = [database.prepare(PUT), database.prepare(DROP)]
  const ids = Array.from({ length: sellers }, (_, index) => `seller-${index}`)
  const write = (id: string, price: number): void => {
    put.run('users', id, JSON.stringify({ fName: id, lName: 'Perfumes' }))
    for (let number = 1; number <= PRODUCTS; number += 1)
      put.run('cataloge', `${id}-${number}`, JSON.stringify(createProduct(id, number, price)))
  }
  const remove = (id: string): void => {
    drop.run('users', id)
    for (let number = 1; number <= PRODUCTS; number += 1) drop.run('cataloge', `${id}-${number}`)
  }
  const change = (work: () => void): void => {
    database.exec('BEGIN IMMEDIATE')
    work()
    database.exec('COMMIT')
  }
  change(() => ids.forEach((id) => write(id, 1_000)))
  let price = 1_000
  return {
    ids,
    edit: (random) => {
      price += 1
      change(() => {
        for (const id of ids) {
          if (random.chance(0.02)) remove(id)
          else if (random.chance(0.5)) write(id, price)
        }
      })
    },
    editFirst: (count) => {
      price += 1
      change(() => ids.slice(0, count).forEach((id) => write(id, price)))
    },
    close: () => database.close(),
  }
}

function createProduct(seller: string, number: number, price: number): object {
  const decant = { price: 150, available: true }
  return {
    id: `${seller}-${number}`,
    name: `Perfume ${number}`,
    price: price + number,
    available: true,
    owner: { id: seller },
    _5ml: decant,
    _10ml: decant,
  }
}
