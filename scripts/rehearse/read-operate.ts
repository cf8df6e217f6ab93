/** Reads from docs/operate.md what people type: the steps of a section, with their commands and the names they set. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../src/builder/state/project-folder.ts'

export interface DocumentedStep {
  readonly number: number
  /** Its bold words. */
  readonly title: string
  /** Lines of its code blocks. */
  readonly commands: readonly string[]
  /** Settings named in its text, with the value where one is given: `NAME` or `NAME=value`. */
  readonly settings: readonly string[]
}

export const TEN_STEPS = 'From nothing to live in ten steps'

const FENCED = /^ *```sh\n([\s\S]*?)^ *```/gm
const SETTING = /`([A-Z][A-Z0-9_]+(?:=[^`\s]+)?)`/g

export function readSteps(heading: string): readonly DocumentedStep[] {
  return readSection(heading)
    .split(/^(?=\d+\. )/m)
    .slice(1)
    .map(readStep)
}

/** Returns the lines of the code blocks of a section. */
export function readCommands(heading: string): readonly string[] {
  return listCommands(readSection(heading))
}

function readSection(heading: string): string {
  const text = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8')
  const [, section] = text.split(`\n## ${heading}\n`)
  if (section === undefined) throw new Error(`docs/operate.md has no section "${heading}"`)
  return section.split('\n## ')[0] ?? ''
}

function listCommands(text: string): readonly string[] {
  return [...text.matchAll(FENCED)].flatMap(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.replace(/ +#.*$/, '').trim())
      .filter(Boolean),
  )
}

function readStep(text: string): DocumentedStep {
  const prose = text.replace(FENCED, '')
  return {
    number: Number.parseInt(text, 10),
    title: (/\*\*(.+?)\*\*/.exec(prose)?.[1] ?? prose.replace(/^\d+\. /, '').split('\n')[0] ?? '').replaceAll(
      /[`.]/g,
      '',
    ),
    commands: listCommands(text),
    settings: [...prose.replaceAll(/\s+/g, ' ').matchAll(SETTING)].map(([, name = '']) => name),
  }
}
