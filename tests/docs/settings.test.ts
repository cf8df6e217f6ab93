/** Compares the settings in README, docs and `.env.example` with those that the program reads. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formatExample } from '../../scripts/audit/code/write-settings.ts'
import { SETTING_LIST } from '../../src/builder/commands/settings.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import { WORKER_VARIABLES } from '../../src/edge/coordinator/settings.ts'
import { readDocumentationPage, readTable } from '../support/run/documentation.ts'

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
