/** `scripts/vitrina.mjs` in a folder, or beside packages, with which no command can work. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectOutput } from '../../scripts/measure/run-tool.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'
import { useTemporaryFolder } from '../support/run/temporary.ts'

const path = useTemporaryFolder()

/** Makes a process believe that its Node is an old one. */
const OLD_NODE = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`

const LAUNCHER = ['vitrina', 'commands'].map((name) => `scripts/${name}.mjs`)

function copyLauncher(folder: string): void {
  for (const file of [...LAUNCHER, 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, file), path(folder, file))
}

/** Makes the launcher believe that the packages of its lockfile are installed. */
function markInstalled(folder: string): void {
  const lock = createHash('sha256')
    .update(readFileSync(path(folder, 'package-lock.json')))
    .digest('hex')
  mkdirSync(path(folder, 'node_modules'))
  writeFileSync(path(folder, 'node_modules/.installed'), lock)
}

async function run(folder: string, ...args: readonly string[]) {
  const old = existsSync(path('old-node.cjs')) ? ['--require', path('old-node.cjs')] : []
  const child = spawn(process.execPath, [...old, path(folder, 'scripts/vitrina.mjs'), ...args], {
    // The programs that it would install with do not exist.
    env: { ...process.env, PATH: path('nothing') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return collectOutput(child)
}

describe('the project', () => {
  it.each(['shop#1', 'a?b/shop'])('in the folder %s is refused in words', async (folder) => {
    copyLauncher(folder)
    const { code, stdout, stderr } = await run(folder, 'rebuild', '--json')
    expect([code, stderr]).toEqual([2, expect.stringMatching(/# or \? in its path.*Move it/)])
    expect(JSON.parse(stdout)).toMatchObject({ exit: 2, error: expect.stringContaining('Move it') })
  })

  it('installs nothing that its lockfile does not name', async () => {
    copyLauncher('shop')
    const file = path('shop/package.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(
      file,
      JSON.stringify({ ...manifest, dependencies: { ...manifest.dependencies, sharp: '*' } }),
    )
    const { code, stderr } = await run('shop', 'install')
    expect([code, stderr]).toEqual([2, expect.stringMatching(/package-lock\.json.*sharp.*npm install/)])
  })

  it('whose packages cannot be installed says so, also to a program', async () => {
    copyLauncher('shop')
    const { code, stdout, stderr } = await run('shop', 'status', '--json')
    expect([code, stderr]).toEqual([70, expect.stringContaining('Check the network')])
    expect(JSON.parse(stdout)).toMatchObject({
      exit: 70,
      error: expect.stringContaining('Check the network'),
    })
  })

  it('whose install was interrupted is not taken for installed when its previous lockfile is back', async () => {
    copyLauncher('shop')
    markInstalled('shop')
    const file = path('shop/package-lock.json')
    const lockfile = readFileSync(file, 'utf8')
    for (const present of [`${lockfile}\n`, lockfile]) {
      writeFileSync(file, present)
      const { code, stderr } = await run('shop', 'install')
      expect([code, stderr]).toEqual([70, expect.stringContaining('could not be installed')])
    }
  })

  it('with a mistake in its code names the file and the line', async () => {
    copyLauncher('shop')
    markInstalled('shop')
    const file = path('shop/src/builder/commands/program.ts')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, "export const one = 1\nexport const SOLD_OUT = 'Agotado\n")
    const { code, stderr } = await run('shop', 'status')
    expect([code, stderr]).toEqual([
      70,
      `vitrina: status could not be started: Unterminated string constant in ${file}, line 2. Correct this file, then run again.\n`,
    ])
  })

  it('whose own Node is missing says so, also to a program', async () => {
    copyLauncher('shop')
    markInstalled('shop')
    writeFileSync(path('old-node.cjs'), OLD_NODE)
    const { code, stdout, stderr } = await run('shop', 'status', '--json')
    expect([code, stderr]).toEqual([70, expect.stringContaining('Delete node_modules')])
    expect(JSON.parse(stdout)).toMatchObject({
      exit: 70,
      error: expect.stringContaining('Delete node_modules'),
    })
  })
})
