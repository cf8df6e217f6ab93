/** The store holds complete renderers only. The compiler is replaced by a slow script. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { compileRenderer } from '../../../src/builder/renderer/compile.ts'
import { findRenderer, listKeptAssets } from '../../../src/builder/renderer/renderer-store.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import { useTemporaryFolder, writeTree } from '../../support/run/temporary.ts'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { checkInputs } from '../../../src/builder/renderer/input-check.ts'

const path = useTemporaryFolder()

/** Reports its start, waits for a file, and writes an asset with the name in the environment. */
const COMPILER = `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
const out = process.argv.at(-1)
const name = process.env.ASSET
writeFileSync(name + '.begun', '')
const { AWAITED } = process.env
while (AWAITED && !existsSync(AWAITED)) await setTimeout(20)
mkdirSync(out + '/client/_astro', { recursive: true })
mkdirSync(out + '/server', { recursive: true })
writeFileSync(out + '/client/_astro/' + name, 'export {}')
writeFileSync(out + '/server/entry.mjs', 'export {}')
writeFileSync(out + '/inline.json', '{"scripts":[],"styles":[]}')
writeFileSync(name + '.ended', '')
`

beforeEach(() => {
  mkdirSync(path('node_modules/astro/bin'), { recursive: true })
  writeFileSync(path('node_modules/astro/bin/astro.mjs'), COMPILER)
})

async function waitFor(file: string): Promise<void> {
  while (!existsSync(file)) await setTimeout(20)
}

/** The process dies while its compiler keeps running, until the next compiler begins. */
async function compileAndDie(): Promise<void> {
  const module = join(ROOT, 'src/builder/renderer/compile.ts')
  const setup = JSON.stringify({ root: path(), store: path('store'), code: 'old' })
  const program = `(await import(${JSON.stringify(module)})).compileRenderer(${setup}, () => 'old')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, ASSET: 'old.js', AWAITED: 'new.js.begun' },
    stdio: 'ignore',
  })
  await waitFor(path('old.js.begun'))
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function compileNew(awaited = ''): Promise<readonly string[]> {
  Object.assign(process.env, { ASSET: 'new.js', AWAITED: awaited })
  try {
    const code = { root: path(), store: path('store'), code: 'new' }
    return Object.keys((await compileRenderer(code, () => 'new')).assets)
  } finally {
    delete process.env['ASSET']
    delete process.env['AWAITED']
  }
}

it('a renderer has no file that the compiler of a killed process still writes', async () => {
  await compileAndDie()
  expect(await compileNew('old.js.ended')).toEqual(['_astro/new.js'])
})

it('the folder of an interrupted compile is removed', async () => {
  mkdirSync(path('store/compiling-1/client'), { recursive: true })
  await compileNew()
  const folders = readdirSync(path('store'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name)).toEqual(['new'])
})

const FILES = ['server/entry.mjs', 'client/_astro/new.js', 'renderer.json']

it.each(FILES)('code is compiled again if %s is missing, truncated or other text', async (file) => {
  const damages = [
    (one: string) => rmSync(one),
    (one: string) => truncateSync(one, 1),
    (one: string) => writeFileSync(one, '0'.padEnd(statSync(one).size)),
  ]
  for (const damage of damages) {
    await compileNew()
    expect(findRenderer(path('store'), 'new')).not.toBeNull()
    damage(path('store/new', file))
    expect(findRenderer(path('store'), 'new')).toBeNull()
  }
})

it('the hashed files of all renderers in the store are known', async () => {
  expect(listKeptAssets(path('store'))).toEqual(new Set())
  await compileNew()
  cpSync(path('store/new'), path('store/old'), { recursive: true })
  const list = readFileSync(path('store/old/renderer.json'), 'utf8')
  writeFileSync(path('store/old/renderer.json'), list.replaceAll('new.js', 'old.js'))
  expect(listKeptAssets(path('store'))).toEqual(new Set(['_astro/new.js', '_astro/old.js']))
})

it('a compile during which the code changes stores nothing', async () => {
  Object.assign(process.env, { ASSET: 'new.js' })
  const code = { root: path(), store: path('store'), code: 'new' }
  await expect(compileRenderer(code, () => 'newer')).rejects.toThrow('The code changed during the compile')
  expect(findRenderer(path('store'), 'new')).toBeNull()
})

it('a compiler that was ended or did not start is not reported as a fault of the code', async () => {
  const compile = (root = path()) => compileRenderer({ root, store: path('store'), code: 'new' }, () => 'new')
  writeFileSync(
    path('node_modules/astro/bin/astro.mjs'),
    "console.log('building client'); process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)",
  )
  await expect(compile()).rejects.toThrow(/was ended by SIGKILL/)
  await expect(compile(path('nowhere'))).rejects.toThrow(/could not be started: .*ENOENT/)
  writeFileSync(path('node_modules/astro/bin/astro.mjs'), "throw new Error('of the code')")
  await expect(compile()).rejects.toThrow(/does not compile: [^]*of the code/)
})

it('the store keeps the new renderer and the newest others, but none dated in the future', async () => {
  const day = 24 * 60 * 60
  const now = Date.now() / 1000
  const times = { future: now + day, 'far-future': now + 9 * day, old: now - 2 * day, older: now - 3 * day }
  for (const [name, time] of Object.entries(times)) {
    mkdirSync(path('store', name), { recursive: true })
    utimesSync(path('store', name), time, time)
  }
  await compileNew()
  const folders = readdirSync(path('store'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual(['new', 'old', 'older'])
})

function write(file: string, code: string): string {
  writeTree(path(), { [file]: code })
  return path(file)
}

async function bundle(entry: string): Promise<unknown> {
  const plugins = [checkInputs(pathToFileURL(`${path()}/`))]
  return build({
    root: path(),
    configFile: false,
    logLevel: 'silent',
    plugins,
    build: { write: false, lib: { entry, formats: ['es'] } },
  })
}

it('a compile that reads a file whose changes would start no compile fails, and names the file', async () => {
  const page = (imported: string): string => `import { x } from '${imported}'\nconsole.log(x)\n`
  write('src/builder/format.ts', 'export const x = 1\n')
  write('src/domain/price.ts', 'export const x = 2\n')
  write('node_modules/other/index.js', 'export const x = 3\n')
  for (const allowed of ['../domain/price.ts', 'other'])
    expect(await bundle(write('src/site/sound.ts', page(allowed)))).toBeDefined()
  await expect(bundle(write('src/site/strange.ts', page('../builder/format.ts')))).rejects.toThrow(
    /src\/builder\/format\.ts: add it to COMPILE_INPUTS/,
  )
})
