/** Links, commands and settings in README and docs exist. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { expect, it } from 'vitest'
import { COMMANDS } from '../../scripts/commands.mjs'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import {
  DOCUMENTATION,
  listHeadings,
  readDocumentationPage,
  readTable,
} from '../support/run/documentation.ts'
import { formatExample } from '../../scripts/audit/code/write-settings.ts'
import { SETTING_LIST } from '../../src/builder/commands/settings.ts'
import { WORKER_VARIABLES } from '../../src/edge/coordinator/settings.ts'

const LINK = /\]\(([^)\s]+)\)/g
const CALL = /\bnpm run (?:-s )?([\w:-]+)|\bnpx vitrina ([a-z][\w:-]*)/g

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}

/** Formats a heading as an anchor like GitHub. */
function formatAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}

function isBroken(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#')
  const target = join(ROOT, file === '' ? page : join(dirname(page), file))
  if (!existsSync(target)) return true
  return (
    anchor !== undefined && !listHeadings(readFileSync(target, 'utf8')).map(formatAnchor).includes(anchor)
  )
}

it('README and docs link to existing pages, pictures and headings', () => {
  const links = DOCUMENTATION.flatMap(({ path, text }) =>
    [...text.matchAll(LINK)].map(([, link = '']) => ({ path, link })),
  ).filter(({ link }) => !/^https?:/.test(link))
  expect(links.length).toBeGreaterThan(15)
  expect(links.filter(({ path, link }) => isBroken(path, link))).toEqual([])
})

it('README and docs name existing commands', () => {
  const calls = DOCUMENTATION.flatMap(({ text }) => [...text.matchAll(CALL)])
  expect(calls.length).toBeGreaterThan(20)
  const isKnown = ([, script, command]: RegExpMatchArray): boolean =>
    script === undefined ? Object.hasOwn(COMMANDS, command ?? '') : Object.hasOwn(scripts, script)
  expect(calls.filter((call) => !isKnown(call)).map(([call]) => call)).toEqual([])
})

/** Returns the long names of a command's options. */
async function listOptions(name: string): Promise<readonly (string | undefined)[]> {
  const parser = new Command()
  const { command } = (await COMMANDS[name]?.load()) ?? {}
  command?.configure?.(parser)
  return ['--help', '--json', ...parser.options.map(({ long }) => long)]
}

const WITH_OPTIONS = /(?:npm run (?:-s )?|npx vitrina |npm )([\w:-]+) ([^\n`]*)/g

it('README and docs name existing options of commands', async () => {
  const calls = DOCUMENTATION.flatMap(({ text }) => [...text.matchAll(WITH_OPTIONS)])
  const named = calls.flatMap(([, name = '', words = '']) =>
    (words.match(/(?<=^| )--[a-z][\w-]*/g) ?? []).map((option) => ({ name, option })),
  )
  expect(named.length).toBeGreaterThan(15)
  const unknown: object[] = []
  for (const { name, option } of named)
    if (!(await listOptions(name)).includes(option)) unknown.push({ name, option })
  expect(unknown).toEqual([])
})

it('the commands of the guide take the name of a second site', async () => {
  for (const name of ['start', 'rebuild', 'deploy', 'status', 'notify'])
    expect(`${name} ${(await listOptions(name)).join(' ')}`).toContain(' --env')
})

const NOTHING = '–'

const readSettings = (path: string) => readTable(readDocumentationPage(path), 'setting', 'meaning', 'default')

const formatDefault = (usual: string | number | null): string => (usual === null ? NOTHING : `\`${usual}\``)

it('The table of settings is that of the schema', () => {
  const rows = SETTING_LIST.map(({ name, meaning, usual }) => [`\`${name}\``, meaning, formatDefault(usual)])
  expect(readSettings('docs/data.md')).toEqual(rows)
})

it('Settings have the same defaults in the README', () => {
  const all = readSettings('docs/data.md').map(([name, , usual]) => [name, usual])
  const few = readSettings('README.md').map(([name, , usual]) => [name, usual])
  expect(few.length).toBeGreaterThan(2)
  expect(all).toEqual(expect.arrayContaining(few))
})

it("The table of the Worker's variables has their defaults", () => {
  const rows = readTable(readDocumentationPage('docs/operate.md'), 'variable', 'meaning', 'default')
  const found = rows.map(([name = '', , usual = '']) => [name.replaceAll('`', ''), usual.replaceAll('`', '')])
  const usual = Object.entries(WORKER_VARIABLES).map(([name, value]) => [name, String(value ?? NOTHING)])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(usual))
})

it('.env.example lists every setting, and sets none', () => {
  const text = readFileSync(join(ROOT, '.env.example'), 'utf8')
  expect(text).toBe(formatExample())
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
})
