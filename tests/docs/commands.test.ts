/** Compares the commands and options in README and docs with the program. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../scripts/commands.mjs'
import { listCode, listInlineCode, listTables, DOCUMENTATION } from '../support/run/documentation.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'

interface Call {
  /** The line as written. */
  readonly text: string
  /** `null` for `npx vitrina`. */
  readonly script: string | null
  /** `null` if the script runs no command of the program. */
  readonly command: string | null
  /** The words after the name. */
  readonly rest: string
}

const MAX_SCRIPTS = 26
const NPM = /\bnpm (?:run (?:-s )?([\w:-]+)|(start|test))([^#]*)/
const NPX = /\bnpx vitrina ([a-z][\w:-]*)([^#]*)/
const THIN = /^node scripts\/vitrina\.mjs ([\w:-]+)( |$)/
/** These must work before the packages are installed, or run more than the program. */
const OTHER_SCRIPTS = ['pretest', 'test']

const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
)
const code = DOCUMENTATION.flatMap(({ text }) => listCode(text))
const calls = code.flatMap(readCall)

function readCall(text: string): readonly Call[] {
  const npm = NPM.exec(text)
  if (npm !== null) {
    const script = npm[1] ?? npm[2] ?? ''
    return [{ text, script, command: findCommand(script), rest: (npm[3] ?? '').trim() }]
  }
  const npx = NPX.exec(text)
  return npx === null ? [] : [{ text, script: null, command: npx[1] ?? '', rest: (npx[2] ?? '').trim() }]
}

function findCommand(script: string): string | null {
  return THIN.exec(scripts[script] ?? '')?.[1] ?? null
}

/**
 * The help of a command; empty for an unknown one, which another test reports. help.test.ts tests that the program prints
 * it.
 */
async function readHelp(name: string): Promise<string> {
  if (!Object.hasOwn(COMMANDS, name)) return ''
  const loaded = await COMMANDS[name]?.load()
  const parser = new Command(name)
  loaded?.command.configure(parser)
  let help = ''
  parser.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  return help
}

async function readOptions(command: string): Promise<readonly string[]> {
  const help = await readHelp(command)
  return [...help.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, option = '']) => option)
}

function listOptions(text: string): readonly string[] {
  return [...text.matchAll(/(?<=^|\s)--[a-z][\w-]*/g)].map(([option]) => option)
}

/** Arguments that are typed literally, not `<placeholders>`. */
function listWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => /^[a-z][\w:-]*$/.test(word))
}

/** Options and arguments written with a command that its help does not contain. */
async function findUnknown({ command, rest }: Call): Promise<readonly string[]> {
  if (command === null) return listOptions(rest)
  const [help, options] = [await readHelp(command), await readOptions(command)]
  return [
    ...listOptions(rest).filter((option) => !options.includes(option)),
    ...listWords(rest).filter((word) => !help.includes(word)),
  ]
}

describe('the commands that README and docs name', () => {
  it('exist as npm scripts', () => {
    const named = calls.flatMap(({ script }) => script ?? [])
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([])
  })

  it('exist in the program', () => {
    const named = calls.flatMap(({ command }) => command ?? [])
    expect(named.filter((command) => !Object.hasOwn(COMMANDS, command))).toEqual([])
  })

  it('include all commands of the program', () => {
    const named = calls.map(({ command }) => command)
    expect(Object.keys(COMMANDS).filter((command) => !named.includes(command))).toEqual([])
  })

  it('contain two dashes between an npm script and its options', () => {
    const withRest = calls.filter(({ script, rest }) => script !== null && rest !== '')
    expect(withRest.filter(({ rest }) => !/^--( |$)/.test(rest)).map(({ text }) => text)).toEqual([])
  })

  it('accept the options and arguments that are written with them', async () => {
    const wrong: string[] = []
    for (const call of calls)
      for (const unknown of await findUnknown(call)) wrong.push(`${call.text}: ${unknown}`)
    expect(wrong).toEqual([])
  })

  it('accept exactly the options of their tables', async () => {
    const tables = DOCUMENTATION.flatMap(({ text }) => listTables(text))
    const headed = tables.flatMap(({ header: [first = ''], rows }) => {
      const [call] = listInlineCode(first).flatMap(readCall)
      return call?.rest === '--' ? [{ command: call.command ?? call.text, rows }] : []
    })
    expect(headed.map(({ command }) => command).toSorted()).toEqual(['deploy', 'rebuild'])
    for (const { command, rows } of headed) {
      const listed = rows.flatMap(([cell = '']) => listInlineCode(cell).flatMap(listOptions))
      const options = (await readOptions(command)).filter((option) => option !== '--help')
      expect(listed.toSorted(), command).toEqual(options.toSorted())
    }
  })

  it('accept the options that are mentioned alone', async () => {
    const alone = DOCUMENTATION.flatMap(({ text }) => listInlineCode(text)).filter((span) =>
      span.startsWith('--'),
    )
    const named = [...new Set(calls.flatMap(({ command, rest }) => (rest === '' ? [] : (command ?? []))))]
    const options = await Promise.all(named.map(readOptions))
    const known = new Set(['--', '--help', ...options.flat()])
    expect(alone.flatMap(listOptions).filter((option) => !known.has(option))).toEqual([])
  })
})

describe('npm scripts', () => {
  it('only call commands of the program', () => {
    const names = Object.keys(scripts).filter((name) => !OTHER_SCRIPTS.includes(name))
    expect(names.filter((name) => !Object.hasOwn(COMMANDS, findCommand(name) ?? ''))).toEqual([])
  })

  it('are few', () => {
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(MAX_SCRIPTS)
  })
})
