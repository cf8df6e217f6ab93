/**
 * Reads from the docs what people type: the steps of a section, with their commands, settings and names in dashboards.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../src/builder/state/project-folder.ts'

export interface DocumentedStep {
  readonly number: number
  /** The first bold words of the step; without bold words, its first line. */
  readonly title: string
  /** Lines of its code blocks, without comments. */
  readonly commands: readonly string[]
  /**
   * True if the step says "as there", which refers to the step with the same number in the guide for a site of files.
   * `readObjectSteps` adds the commands, settings and names of that step.
   */
  readonly isAsThere: boolean
  /** Settings that its text names: `NAME`, or `NAME=value` if the text gives a value. */
  readonly settings: readonly string[]
  /** Names in a dashboard: the words between underscores. */
  readonly names: readonly string[]
}

export const TEN_STEPS_HEADING = 'From nothing to live in ten steps'
const QUEUE_STEPS = 'Without a builder'
const OPERATE = 'docs/operate.md'
const OBJECTS = 'docs/objects.md'
const AS_THERE = /\bas there\b/

const FENCED = /^ *```sh\n([\s\S]*?)^ *```/gm
const NAME = /_([A-Z][^_`]*)_/g
const SETTING = /`([A-Z][A-Z0-9_]+(?:=[^`\s]+)?)`/g

/**
 * Returns the ten steps to a site of objects. A step with `isAsThere` also has the commands, settings and names of the
 * same step to a site of files.
 */
export function readObjectSteps(): readonly DocumentedStep[] {
  const others = readSteps(TEN_STEPS_HEADING)
  return readSteps('Ten steps to live', OBJECTS).map((step, index) => {
    const other = others[index]
    if (!step.isAsThere || other === undefined) return step
    const { commands, settings, names } = other
    return {
      ...step,
      names: [...names, ...step.names],
      commands: [...commands, ...step.commands],
      settings: [...settings, ...step.settings],
    }
  })
}

/**
 * Returns the commands that the section "From one to the other" names for the move `title`; with `null`, the commands
 * that it names before the first move.
 */
export function readMove(title: string | null): readonly string[] {
  const [first = '', ...moves] = readSection('From one to the other', OBJECTS).split('\n- **')
  const part = title === null ? first : (moves.find((move) => move.startsWith(`${title}**`)) ?? '')
  return listNamed(part)
}

/** Returns the steps that differ from the usual ten when the Worker renders changes itself. */
export function readQueueSteps(): readonly DocumentedStep[] {
  return readSteps(QUEUE_STEPS, OBJECTS)
}

/** Returns the commands that the docs name between "The ten steps differ" and the first step of `readQueueSteps`. */
export function readBeforeQueue(): readonly string[] {
  const [, text = ''] = readSection(QUEUE_STEPS, OBJECTS).split('The ten steps differ')
  return listNamed(text.split('\n1. ')[0] ?? '')
}

/** Returns the first command in the steps of `readQueueSteps` that contains the word; empty if there is none. */
export function readCommand(word: string): string {
  const found = readQueueSteps().flatMap(({ commands }) => commands.filter((line) => line.includes(word)))
  return found[0] ?? ''
}

export function readSteps(heading: string, page = OPERATE): readonly DocumentedStep[] {
  return readSection(heading, page)
    .split(/^(?=\d+\. )/m)
    .slice(1)
    .map(readStep)
}

/** Returns the commands in the code blocks of a section of docs/operate.md. */
export function readCommands(heading: string): readonly string[] {
  return listCommands(readSection(heading))
}

function readSection(heading: string, page = OPERATE): string {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const [, section] = text.split(`\n## ${heading}\n`)
  if (section === undefined) throw new Error(`${page} has no section "${heading}"`)
  return section.split('\n## ')[0] ?? ''
}

/** Returns the commands in sentences of the text, without those in code blocks. */
function listNamed(text: string): readonly string[] {
  return [...text.replaceAll(/\s+/g, ' ').matchAll(/`(npm run [^`]+)`/g)].map(([, command = '']) => command)
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
  const line = prose.replaceAll(/\s+/g, ' ')
  return {
    number: Number.parseInt(text, 10),
    title: (/\*\*(.+?)\*\*/.exec(prose)?.[1] ?? prose.replace(/^\d+\. /, '').split('\n')[0] ?? '').replaceAll(
      /[`.]/g,
      '',
    ),
    commands: listCommands(text),
    isAsThere: AS_THERE.test(prose),
    settings: [...line.matchAll(SETTING)].map(([, name = '']) => name),
    names: [...line.matchAll(NAME)].map(([, name = '']) => name),
  }
}
