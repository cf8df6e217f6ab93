/** A mutation: a way to break a rebuild or the coordinator, as a replacement of one text in the code. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Proof =
  | 'equivalence'
  | 'crash'
  | 'faults'
  | 'power'
  | 'coordinator'
  | 'edge'
  | 'search'
  | 'hostile'

/** A proof, or a test file. */
export type Catcher = Proof | `tests/${string}.test.ts`

export interface Mutation {
  readonly name: string
  readonly file: string
  readonly text: string
  readonly broken: string
  /** Each of them must catch it. */
  readonly catchers: readonly [Catcher, ...Catcher[]]
}

/** Returns the code of the mutation's file with the mistake. `folder` is that of a project. */
export function breakCode(folder: string, { name, file, text, broken }: Mutation): string {
  const code = readFileSync(join(folder, file), 'utf8')
  if (code.split(text).length !== 2)
    throw new Error(`${name}: ${file} does not contain its text exactly once: adapt the mutation`)
  return code.replace(text, () => broken)
}

/** Applies a mutation to a copy of the project. */
export function breakProject(folder: string, mutation: Mutation): void {
  writeFileSync(join(folder, mutation.file), breakCode(folder, mutation))
}
