/** A process cleans up at its end, also at the end by a signal, before it has closed everything itself. */
import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../../../../src/builder/files/project-folder.ts'
import { useTemporaryFolder, writeTree } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

const importOwn = (name: string, file: string): string =>
  `import { ${name} } from ${JSON.stringify(join(ROOT, file))}\n`

const REGISTER = `${importOwn('cleanAtEnd', 'src/builder/commands/local/clean-at-end.ts')}
import { appendFileSync } from 'node:fs'
const clean = (name) => cleanAtEnd(() => appendFileSync('log', name))
clean('first')
clean('withdrawn')()
clean('second')
`
const WAIT = `
console.log('ready')
setInterval(() => {}, 1_000)
`

type Child = ChildProcessByStdio<null, Readable, null>

/** Runs the script in the temporary folder. Resolves with its first output. */
async function start(script: string): Promise<{ readonly child: Child; readonly said: string }> {
  writeFileSync(path('script.mjs'), script)
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit']
  const child = spawn(process.execPath, ['script.mjs'], { cwd: path(), stdio })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, said: String(said).trim() }
}

async function end(script: string, signal: NodeJS.Signals): Promise<readonly unknown[]> {
  const { child } = await start(script)
  const ended = once(child, 'exit')
  child.kill(signal)
  return [...(await ended), readFileSync(path('log'), 'utf8')]
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'in reverse order at %s, which ends the process as usual',
  async (signal) => {
    expect(await end(REGISTER + WAIT, signal)).toEqual([null, signal, 'secondfirst'])
  },
)

it.each([
  ['before', (listen: string) => listen + REGISTER],
  ['after', (listen: string) => REGISTER + listen],
])('at the end of a command that began to handle signals %s that', async (_, place) => {
  const listen = "process.once('SIGTERM', () => setTimeout(() => process.exit(3)))\n"
  expect(await end(place(listen) + WAIT, 'SIGTERM')).toEqual([3, null, 'secondfirst'])
})

it('the local edge', async () => {
  writeTree(path('dist'), { 'index.html': 'home' })
  const open = `${importOwn('startEdge', 'src/builder/commands/local/local-edge.ts')}
const edge = await startEdge({ folder: ${JSON.stringify(path('dist'))}, variables: {} })
console.log(edge.origin)`
  const { child, said } = await start(open)
  expect((await fetch(said)).status).toBe(200)
  child.kill('SIGTERM')
  await once(child, 'exit')
  const ask = (): Promise<number> =>
    fetch(said)
      .then(({ status }) => status)
      .catch(() => 0)
  await expect.poll(ask).toBe(0)
})
