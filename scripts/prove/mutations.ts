/** Mutations: ways to break a rebuild, each as a replacement of one text in the code. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Proof = 'equivalence' | 'crash' | 'faults'

export interface Mutation {
  readonly name: string
  readonly file: string
  readonly text: string
  readonly broken: string
  /** The proofs that must catch it. */
  readonly catchers: readonly Proof[]
}

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'skip the rename: write in place',
    file: 'src/builder/state/output/output.ts',
    text: 'writeFileSync(join(folder, PARTIAL, name), bytes)\n      place(name, path)',
    broken: 'makeFolder(dirname(join(folder, path)))\n      writeFileSync(join(folder, path), bytes)',
    catchers: ['crash', 'faults'],
  },
  {
    name: 'record before writing',
    file: 'src/builder/rebuild/write-pages.ts',
    text: 'record.markUnsure([...pictureRows, ...differing.map(({ row }) => row)], shows)',
    broken: 'record.write([...pictureRows, ...complete.map(({ row }) => row)], [], shows)',
    catchers: ['crash', 'faults'],
  },
  {
    name: 'forget a removal',
    file: 'src/builder/rebuild/write-pages.ts',
    text: 'for (const { path } of remove) output.remove(path)',
    broken: '',
    catchers: ['equivalence', 'crash', 'faults'],
  },
  {
    name: 'settle sellers before the file of the sitemap that lists them',
    file: 'src/builder/rebuild/write-pages.ts',
    text: 'record.write([...pictureRows, ...complete.map(({ row }) => row)], [], shows)',
    broken:
      'record.write([...pictureRows, ...complete.map(({ row }) => row)], [], shows)\n  site.snapshot.forgetChanged(complete.flatMap(({ row }) => row.seller ?? []))',
    catchers: ['faults'],
  },
  {
    name: 'ignore that a product moved',
    file: 'src/builder/state/snapshot/apply-documents.ts',
    text: 'old.id IS NULL OR old.seller <> new.seller OR',
    broken: 'old.id IS NULL OR',
    catchers: ['equivalence', 'crash', 'faults'],
  },
  {
    name: 'leave the code out of the decision',
    file: 'src/builder/rebuild/plan-page.ts',
    text: "if (recorded.code[kind] !== generation.code[kind]) return 'code'",
    broken: '',
    catchers: ['equivalence', 'crash', 'faults'],
  },
  {
    name: 'keep the fingerprints of the compile before',
    file: 'src/builder/rebuild/open-code.ts',
    text: 'const isKnown = known?.inputs === inputs.compiled',
    broken: 'const isKnown = known !== null',
    catchers: ['equivalence', 'crash'],
  },
  {
    name: 'keep hashed files that never stood there',
    file: 'src/builder/rebuild/write-static.ts',
    text: ' && record.findDigest(path) !== null',
    broken: ' && record.hasFile(path)',
    catchers: ['equivalence', 'crash'],
  },
]

/** Applies a mutation to a copy of the project. */
export function breakProject(folder: string, { name, file, text, broken }: Mutation): void {
  const path = join(folder, file)
  const code = readFileSync(path, 'utf8')
  if (code.split(text).length !== 2)
    throw new Error(`${name}: ${file} does not contain its text exactly once: adapt the mutation`)
  writeFileSync(
    path,
    code.replace(text, () => broken),
  )
}
