/** Writes sellers as a source. Their products may repeat those of the bundled sample. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../src/builder/files/project-folder.ts'

const SAMPLE = join(ROOT, 'src/builder/sources/sample/cataloge.ndjson')

/** A document's fields. */
export type WrittenData = Readonly<Record<string, unknown>>

export interface WrittenSeller {
  readonly id: string
  readonly profile?: WrittenData
  readonly products: readonly WrittenData[]
}

const PROFILE = { fName: 'María', lName: 'Peña', whatsapp: '809-555-0100' }

export function repeatSample(count: number): readonly WrittenData[] {
  const lines = readFileSync(SAMPLE, 'utf8').trim().split('\n')
  const sample = lines.map((line): WrittenData => JSON.parse(line).data)
  return Array.from({ length: count }, (_, index) => sample[index % sample.length] ?? {})
}

/**
 * Writes the sellers into `folder`. Returns `folder`, which can then be read as a source. A product's id is the
 * seller's id followed by a number.
 */
export function writeSellers(folder: string, sellers: readonly WrittenSeller[]): string {
  const write = (collection: string, documents: readonly object[]): void =>
    writeFileSync(
      join(folder, `${collection}.ndjson`),
      documents.map((document) => `${JSON.stringify(document)}\n`).join(''),
    )
  write(
    'users',
    sellers.map(({ id, profile = PROFILE }) => ({ id, data: profile })),
  )
  write(
    'cataloge',
    sellers.flatMap(({ id: owner, products }) =>
      products.map((data, index) => ({ id: `${owner}${index}`, data: { ...data, owner: { id: owner } } })),
    ),
  )
  return folder
}
