/** `scripts/vitrina.mjs` in a folder, or beside packages, with which no command can work. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import { useTemporaryFolder } from '../support/run/temporary.ts'

const path = useTemporaryFolder()

const LAUNCHER = ['vitrina', 'commands', 'development-commands', 'load-rebuild'].map(
  (name) => `scripts/${name}.mjs`,
)

function copyLauncher(folder: string): void {
  for (const file of [...LAUNCHER, 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, file), path(folder, file))
}

async function run(folder: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [path(folder, 'scripts/vitrina.mjs'), ...args], {
    // The programs that it would install with do not exist.
    env: { ...process.env, PATH: path('nothing') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit') as Promise<[number]>,
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, stdout, stderr }
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
})
