/**
 * Mutations: ways to break a rebuild, the coordinator or the edge, each a replacement of one text in the code. The
 * `.diff` files in this folder list them below the path of the file that they change:
 *
 *     name of the mutation (catcher, catcher)
 *     - the text to replace, which the file contains exactly once
 *     + the replacement; absent if the text is only removed
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const PROOFS = [
  'equivalence',
  'crash',
  'faults',
  'power',
  'coordinator',
  'edge',
  'search',
  'hostile',
] as const
export type Proof = (typeof PROOFS)[number]

export interface Mutation {
  readonly name: string
  readonly file: string
  readonly text: string
  readonly broken: string
  /** Proofs and test files that must each detect the mutation. */
  readonly catchers: readonly string[]
}

export const MUTATIONS: readonly Mutation[] = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.diff'))
  .flatMap((name) => parseMutations(readFileSync(join(import.meta.dirname, name), 'utf8')))

function parseMutations(list: string): readonly Mutation[] {
  const [, ...parts] = list.split(/^(?=\w\S*\n\n)/m)
  return parts.flatMap((part) => {
    const [file = '', ...lines] = part.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const entries = lines.join('\n').split(/\n(?=[^-+])/)
    return entries.map((entry) => parseMutation(file, entry))
  })
}

function parseMutation(file: string, entry: string): Mutation {
  const [title = '', ...lines] = entry.split('\n')
  const [, name, catchers] = /^(.+) \((.+)\)$/.exec(title) ?? []
  if (name === undefined || catchers === undefined)
    throw new Error(
      `the mutation "${title}" names no catcher (a proof or a test file): write its title as "name (catcher)"`,
    )
  const joinLines = (sign: string): string =>
    lines.flatMap((line) => (line.startsWith(sign) ? [line.slice(2)] : [])).join('\n')
  return { name, file, text: joinLines('-'), broken: joinLines('+'), catchers: catchers.split(', ') }
}

/**
 * Returns the mutated code of the mutation's file in the project `folder`. Throws if the file does not contain the text
 * exactly once.
 */
export function breakCode(folder: string, { name, file, text, broken }: Mutation): string {
  const code = readFileSync(join(folder, file), 'utf8')
  if (code.split(text).length !== 2)
    throw new Error(
      `${name}: ${file} does not contain the text of this mutation exactly once: update the mutation in its .diff file`,
    )
  return code.replace(text, () => broken)
}

/** Applies a mutation to a copy of the project. */
export function breakProject(folder: string, mutation: Mutation): void {
  writeFileSync(join(folder, mutation.file), breakCode(folder, mutation))
}
