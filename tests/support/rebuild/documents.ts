/** Documents for tests, and a folder source with them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { COLLECTIONS } from '../../../src/domain/documents/document.ts'

export function user(id: string, fName = 'Ana', lName = 'Pérez'): SourceDocument {
  return { collection: 'users', id, updateTime: null, data: { fName, lName } }
}

/** `overrides` replaces fields of `data`. */
export function product(id: string, owner: string, overrides: Record<string, unknown> = {}): SourceDocument {
  const data = {
    id,
    name: `Perfume ${id}`,
    photo: `https://photos.example/${id}.jpg`,
    price: 1300,
    available: true,
    owner: { id: owner },
    _5ml: { price: 300, available: true },
    _10ml: { price: 550, available: false },
  }
  return { collection: 'cataloge', id, updateTime: null, data: { ...data, ...overrides } }
}

/**
 * Creates `count` sellers, each with a product for each of `names`: with `['a', 'b']`, seller `s3` offers `p3a` and
 * `p3b`. Without names, she offers only `p3`. `overrides` replaces fields of every product.
 */
export function createSellers(
  count: number,
  { names = [''], overrides = {} }: { names?: readonly string[]; overrides?: Record<string, unknown> } = {},
): readonly SourceDocument[] {
  return Array.from({ length: count }, (_, index) => [
    user(`s${index}`),
    ...names.map((name) => product(`p${index}${name}`, `s${index}`, overrides)),
  ]).flat()
}

export function withTime(document: SourceDocument, updateTime: string): SourceDocument {
  return { ...document, updateTime }
}

/** Gives a document of `users` a number for orders, which may be wrong. */
export function withNumber(document: SourceDocument, whatsapp: unknown): SourceDocument {
  return { ...document, data: { ...Object(document.data), whatsapp } }
}

/** Creates a new folder with both files. Returns its path. */
export function writeFolder(path: string, documents: readonly SourceDocument[]): string {
  mkdirSync(path, { recursive: true })
  for (const name of COLLECTIONS) {
    const lines = documents.filter(({ collection }) => collection === name).map(formatLine)
    writeFileSync(join(path, `${name}.ndjson`), lines.join(''))
  }
  return path
}

function formatLine({ id, updateTime, data }: SourceDocument): string {
  return `${JSON.stringify({ id, updateTime: updateTime ?? undefined, data })}\n`
}
