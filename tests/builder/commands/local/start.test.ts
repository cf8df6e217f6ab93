/** `npm start`: builds the site, serves it, prints the address, and leaves no process behind. */
import type { ChildProcessByStdio } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { WITH_TESTS } from '../../../support/run/copy-project.ts'
import { findFreePort } from '../../../../scripts/measure/free-port.ts'
import { startEdge } from '../../../../src/builder/commands/local/local-edge.ts'
import { command, runStart } from '../../../../src/builder/commands/local/start.ts'
import { parseHere } from '../../../support/rebuild/run-here.ts'
import { createTestTerminal } from '../../../support/run/test-terminal.ts'
import { copyCompiled } from '../../../support/rebuild/sample-renderer.ts'
import { useSharedFolder, useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
/** A copy, because the command has the folders and settings of its project. */
const project = useSharedFolder()
beforeAll(() => copyCompiled(project(), WITH_TESTS))

type Child = ChildProcessByStdio<null, Readable, Readable>

function start(port: number, options: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Child {
  const args = ['scripts/vitrina.mjs', 'start', '--port', String(port), ...options]
  const child = spawn(process.execPath, args, {
    cwd: project(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await exited
  })
  return child
}

/** Every byte, whole and broken encodings, and the syntax of search engines. */
const ODD_QUERIES: readonly string[] = [
  ...Array.from({ length: 16 }, (_, high) =>
    Array.from({ length: 16 }, (_unused, low) => `%${high.toString(16)}${low.toString(16)}`).join(''),
  ),
  ...['"', '*', 'NEAR(', 'eau NEAR/2 de', '-eau', 'name:eau', '^eau', 'eau OR 1=1; --', "'", '{a b}'].map(
    encodeURIComponent,
  ),
  '%',
  '%zz',
  '%C3',
  '+',
  '&q=eau',
  'eau'.repeat(4_000),
  '%22'.repeat(3_000),
]

/** One of seller 1. */
const PRODUCT = '9YxJMS9pdOzfiqQ8iOr6'

async function waitForText(child: Child, wanted: string): Promise<string> {
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    if (said.includes(wanted)) return said
  }
  throw new Error(`ended without saying "${wanted}": ${said}`)
}

it('npm start serves the sample, shows a changed price by itself, and frees the port on Ctrl-C', async () => {
  writeFileSync(path('xdg-open'), `#!/bin/sh\necho "$@" > ${path('opened')}\n`, { mode: 0o755 })
  const port = await findFreePort()
  const isLinux = process.platform === 'linux'
  const child = start(port, isLinux ? ['--open'] : [], { PATH: `${path()}:${process.env['PATH']}` })
  const exited = once(child, 'exit')
  const said = await waitForText(child, 'Ctrl-C')
  expect(said).toContain(`http://localhost:${port}/`)
  expect((await fetch(`http://localhost:${port}/catalogo/1`)).status).toBe(200)
  const readOpened = (): string => (existsSync(path('opened')) ? readFileSync(path('opened'), 'utf8') : '')
  await expect.poll(readOpened).toBe(isLinux ? `http://localhost:${port}/\n` : '')
  // A very slow machine prints the address before the index is filled.
  const countFound = async (): Promise<number> =>
    (await findSellers(`http://localhost:${port}`, 'perfum')).size
  await expect.poll(countFound).toBeGreaterThan(2)
  for (const query of ODD_QUERIES) {
    const response = await fetch(`http://localhost:${port}/buscar?q=${query}`)
    expect([query, response.status, response.headers.get('content-type')]).toEqual([
      query,
      200,
      'text/html; charset=utf-8',
    ])
    await response.text()
  }
  execFileSync(process.execPath, ['scripts/vitrina.mjs', 'set', PRODUCT, 'price', '1234'], { cwd: project() })
  const readPage = async (): Promise<string> => (await fetch(`http://localhost:${port}/catalogo/1`)).text()
  await expect.poll(readPage).toContain('RD$1,234')
  child.kill('SIGINT')
  expect(await exited).toEqual([0, null])
  await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow('fetch failed')
})

it('npm start serves the site from a local bucket with HOSTING=bucket', async () => {
  const port = await findFreePort()
  const child = start(port, [], { HOSTING: 'bucket' })
  let warned = ''
  child.stderr.on('data', (chunk) => void (warned += String(chunk)))
  await waitForText(child, 'Ctrl-C')
  expect(warned).not.toContain('DurableObject')
  const [page, marker] = await Promise.all(
    ['catalogo/1', 'estado.json'].map((file) => fetch(`http://localhost:${port}/${file}`)),
  )
  expect(page?.status).toBe(200)
  expect(await marker?.text()).toBe(readFileSync(project('dist/estado.json'), 'utf8'))
})

it('npm start without a build names what builds the site', async () => {
  const args = ['--no-build', '--port', String(await findFreePort())]
  const options = { ...parseHere(command, args, {}), output: path() }
  await expect(runStart(options, createTestTerminal())).rejects.toThrow('Build it with npm start')
})

it('a local edge whose Worker does not compile says so, and ends', async () => {
  writeFileSync(path('worker.ts'), 'export default {')
  const configuration = { name: 'broken', main: 'worker.ts', compatibility_date: '2026-11-01' }
  writeFileSync(path('wrangler.json'), JSON.stringify(configuration))
  const started = startEdge({ folder: null, configuration: path('wrangler.json'), variables: {} })
  await expect(started).rejects.toThrow(/worker\.ts:\d/)
})

it('npm start reports that a port is taken, and what to do', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const child = start(port)
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  server.close()
  expect(code).toBe(2)
  expect(said).toContain(`Port ${port} is taken`)
})

/** Returns the sellers of the products that a search of a served site finds. */
async function findSellers(origin: string, query: string): Promise<ReadonlySet<string | undefined>> {
  const html = await (await fetch(`${origin}/buscar?${new URLSearchParams({ q: query })}`)).text()
  const links = html.matchAll(/href="\/catalogo\/([^/"#]+)[/#][^"]+"/g)
  return new Set(Array.from(links, ([, seller]) => seller))
}
