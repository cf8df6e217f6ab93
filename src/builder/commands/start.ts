/** `npm start` builds and serves the storefront; `npm run preview` serves what is built. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, opendirSync } from 'node:fs'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { formatCataloguePath } from '../../domain/pages/paths.ts'
import { isPortFree, startEdge } from '../publish/local-edge.ts'
import { ROOT } from '../state/project-folder.ts'

const DIST = join(ROOT, 'dist')
const EXIT = { failed: 1, usage: 2 } as const

const command = new Command('npm start --')
  .description('Build the storefront and serve it on the local edge runtime.')
  .option('--port <number>', 'where to serve', parsePort, 8787)
  .option('--no-build', 'serve what is built already')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT.usage))
  .parse()
const { port, build } = command.opts<{ port: number; build: boolean }>()

if (!(await isPortFree(port))) {
  fail(
    `Port ${port} is taken. Stop what listens there, or choose another: npm start -- --port ${port + 1}`,
    EXIT.usage,
  )
}
if (build) await runRebuild()
if (!existsSync(join(DIST, 'index.html')))
  fail('There is no site in dist yet. Build it with npm start or npm run build.')
await serve()

async function runRebuild(): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/vitrina.mjs'), 'rebuild'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  // 1: some pages keep an older version, which is no reason to close the shop.
  if (code !== 0 && code !== 1) process.exit(typeof code === 'number' ? code : EXIT.failed)
}

async function serve(): Promise<void> {
  const edge = await startEdge({ port, serve: { folder: DIST } }).catch((error: Error) => fail(error.message))
  console.log(`
  Home         ${edge.origin}/
  A catalogue  ${edge.origin}${formatCataloguePath(findSeller())}

  Stop with Ctrl-C.`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void edge.close())
  await edge.ended
}

// Seller 1 has the sample's best catalogue; of other data any one will do.
function findSeller(): string {
  if (existsSync(join(DIST, 'catalogo/1.html'))) return '1'
  const folder = opendirSync(join(DIST, 'catalogo'))
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (entry.name !== '404.html') return entry.name.slice(0, -'.html'.length)
    }
    return '404'
  } finally {
    folder.closeSync()
  }
}

function parsePort(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0 && number < 65_536) return number
  throw new InvalidArgumentError('A port is a number from 1 to 65535.')
}

function fail(message: string, code: number = EXIT.failed): never {
  console.error(message)
  process.exit(code)
}
