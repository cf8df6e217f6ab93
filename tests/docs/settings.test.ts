/** Compares the settings in README, docs and `.env.example` with those that the program reads. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SETTING_DEFAULTS } from '../../src/builder/commands/settings.ts'
import { WORKER_VARIABLES } from '../../src/edge/coordinator/settings.ts'
import { readDocumentationPage, readTable } from '../support/run/documentation.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'

type Defaults = Readonly<Record<string, string | number | null>>

const NOTHING = '–'

/** Read by Cloudflare's deploy tool. */
const CLOUDFLARE = ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID'] as const

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Returns the defaults by the names of settings, from a table whose first column contains the names. */
function readDefaults(rows: readonly (readonly string[])[]): Defaults {
  return Object.fromEntries(
    rows.map(([name = '', , cell = '']) => [name.replaceAll('`', ''), parseDefault(cell)]),
  )
}

/** A default that begins with `that of` counts as none. */
function parseDefault(cell: string): string | number | null {
  const other = /^that of `(\w+)`$/.exec(cell)?.[1]
  if (cell === NOTHING || (other !== undefined && other in { ...SETTING_DEFAULTS, ...WORKER_VARIABLES }))
    return null
  return /^\d+$/.test(cell) ? Number(cell) : (/^`(.+)`$/.exec(cell)?.[1] ?? `not a default: ${cell}`)
}

describe('the settings that README and docs name', () => {
  it('are exactly those of the configuration, with their defaults', () => {
    const rows = readTable(readDocumentationPage('docs/data.md'), 'setting', 'meaning', 'default')
    expect(readDefaults(rows)).toEqual(SETTING_DEFAULTS)
  })

  it('have the same defaults in the README', () => {
    const all = readTable(readDocumentationPage('docs/data.md'), 'setting', 'meaning', 'default')
    const few = readTable(readDocumentationPage('README.md'), 'setting', 'meaning', 'default')
    expect(few.length).toBeGreaterThan(2)
    for (const [name, , value] of few) {
      const row = all.find(([other]) => other === name)
      expect([name, value]).toEqual([row?.[0], row?.[2]])
    }
  })

  it('are exactly those of the Worker, with their defaults', () => {
    const rows = readTable(readDocumentationPage('docs/operate.md'), 'variable', 'meaning', 'default')
    expect(readDefaults(rows)).toEqual(WORKER_VARIABLES)
  })
})

describe('.env.example', () => {
  const lines = read('.env.example').split('\n')
  const set = lines.flatMap((line) => [...line.matchAll(/^# ([A-Z_]+)=(.*)$/g)])

  it('lists every setting once, with its default', () => {
    const expected = { ...SETTING_DEFAULTS, ...Object.fromEntries(CLOUDFLARE.map((name) => [name, null])) }
    expect(Object.fromEntries(set.map(([, name, value]) => [name, value || null]))).toEqual(expected)
    expect(set).toHaveLength(Object.keys(expected).length)
  })

  it('sets nothing unless a line is edited', () => {
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
  })
})
