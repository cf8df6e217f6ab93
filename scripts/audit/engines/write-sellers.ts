/** Writes the sellers of the stories: their products are those of the bundled sample, repeated. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../src/builder/state/project-folder.ts'

const SAMPLE = join(ROOT, 'src/builder/sources/sample/cataloge.ndjson')

/** Numbers of products by seller. */
const SIZES = { treinta: 30, largo: 2000 } as const
const ARABIC = { name: 'عطر العود الملكي 100 مل', price: 3500, available: true, owner: { id: 'arabe' } }

/** Returns the folder, which is then a source. */
export function writeStorySellers(folder: string): string {
  const sample = readFileSync(SAMPLE, 'utf8')
    .trim()
    .split('\n')
    .map((line): { data: object } => JSON.parse(line))
  const products = Object.entries(SIZES).flatMap(([id, size]) =>
    Array.from({ length: size }, (_, index) => ({
      id: `${id}${index}`,
      data: { ...sample[index % sample.length]?.data, owner: { id } },
    })),
  )
  const data = { fName: 'محمد', lName: 'Peña', whatsapp: '809-555-0100' }
  const users = Object.keys(SIZES).map((id) => ({ id, data }))
  writeLines(join(folder, 'users.ndjson'), [...users, { id: 'arabe', data: { ...data, lName: 'العطار' } }])
  writeLines(join(folder, 'cataloge.ndjson'), [...products, { id: 'arabe0', data: ARABIC }])
  return folder
}

function writeLines(file: string, documents: readonly object[]): void {
  writeFileSync(file, documents.map((document) => `${JSON.stringify(document)}\n`).join(''))
}
