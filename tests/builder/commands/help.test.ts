/** The help of every command, which must not do anything else. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../scripts/commands.mjs'
import { collectOutput } from '../../../scripts/measure/run-tool.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { useSharedFolder } from '../../support/run/temporary.ts'

/** Preloaded: ends a process that opens a connection or starts another process. */
const GUARD = `
import { Socket } from 'node:net'
import child from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
const refuse = (what) => () => {
  console.error('--help used ' + what)
  process.exit(99)
}
Socket.prototype.connect = refuse('the network')
for (const name of ['spawn', 'spawnSync', 'exec', 'execFile', 'fork']) child[name] = refuse('another process')
syncBuiltinESMExports()
`

/** Prints the help of every command. One process for all: most of the time of each would be its start. */
const ALL = `
import { COMMANDS } from '${importPath('scripts/commands.mjs')}'
import { parseCommand } from '${importPath('src/builder/commands/program.ts')}'
const write = process.stdout.write
const helps = {}
for (const [name, { load }] of Object.entries(COMMANDS)) {
  let text = ''
  process.stdout.write = (chunk) => ((text += chunk), true)
  const { command: definition } = await load()
  const options = parseCommand({ name, definition }, ['--help'], process.exit, COMMANDS)
  helps[name] = { help: text, isOver: options === null }
}
process.stdout.write = write
console.log(JSON.stringify(helps))
`

const path = useSharedFolder()
const [guard, all] = [path('guard.mjs'), path('all.mjs')]
writeFileSync(guard, GUARD)
writeFileSync(all, ALL)

function importPath(file: string): string {
  return pathToFileURL(join(ROOT, file)).href
}

interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Files that it left in the folder where it ran. */
  readonly made: readonly string[]
}

const VITRINA = join(ROOT, 'scripts/vitrina.mjs')
const run = (...args: readonly string[]): Promise<Run> => runNode(VITRINA, ...args)

function runNode(...args: readonly string[]): Promise<Run> {
  return runIn(mkdtempSync(path('empty-')), ...args)
}

async function runIn(cwd: string, ...args: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, ['--import', guard, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { ...(await collectOutput(child)), made: readdirSync(cwd) }
}

describe.concurrent('vitrina', () => {
  it('has a help of every command, which does nothing else', async () => {
    const { code, stdout, stderr, made } = await runNode(all)
    expect({ code, stderr, made }).toEqual({ code: 0, stderr: '', made: [] })
    const helps: Readonly<Record<string, { help: string; isOver: boolean }>> = JSON.parse(stdout)
    for (const [name, { summary }] of Object.entries(COMMANDS)) {
      const { help = '', isOver = false } = helps[name] ?? {}
      expect([name, isOver]).toEqual([name, true])
      expect(help).toMatch(new RegExp(`^Usage: vitrina ${name}`))
      expect(help.replaceAll(/\s+/g, ' ')).toContain(summary)
      expect(help.trimEnd().split('\n').length).toBeLessThanOrEqual(30)
    }
  })

  // The first is loaded as a bundle.
  it.each(['rebuild', 'deploy'])('%s --help prints it, and does nothing else', async (name) => {
    const { code, stdout, stderr, made } = await run(name, '--help')
    expect({ code, stderr, made }).toEqual({ code: 0, stderr: '', made: [] })
    expect(stdout).toMatch(new RegExp(`^Usage: vitrina ${name}\\b`))
  })

  it('status --help prints it whatever is wrong with the settings', async () => {
    const cwd = mkdtempSync(path('misspelt-'))
    writeFileSync(join(cwd, '.env'), 'SITE_NMAE=Vitrina\n')
    const [wrong, help] = await Promise.all(
      [[], ['--help']].map((args) => runIn(cwd, VITRINA, 'status', ...args)),
    )
    expect([wrong?.code, wrong?.stderr]).toEqual([2, expect.stringContaining('SITE_NMAE')])
    expect([help?.code, help?.stdout]).toEqual([0, expect.stringMatching(/^Usage: vitrina status /)])
  })

  it('--help lists every command with its summary', async () => {
    const { code, stdout } = await run('--help')
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
    const line = stdout.replaceAll(/\s+/g, ' ')
    for (const [name, { summary }] of Object.entries(COMMANDS))
      expect(line).toMatch(new RegExp(`${name}(\\|\\w+)? .*${summary}`))
  })

  it('--version prints the version of the project', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
    expect(await run('--version')).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('without a command, or with an unknown one, lists the commands and exits with 2', async () => {
    const unknown = [['rebiuld'], ['help', 'rebiuld'], ['rebiuld', '--help']]
    const [none, ...wrong] = await Promise.all([run(), ...unknown.map((args) => run(...args))])
    expect([none.code, none.stdout]).toEqual([2, expect.stringContaining('Usage: vitrina')])
    for (const { code, stderr } of wrong)
      expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean rebuild')])
  })
})
