/** A Worker on the real runtime, without the tool around it: bundled once in each process, and started in a moment. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { build } from 'vite'
import {
  unstable_getMiniflareWorkerOptions as readOptions,
  unstable_readConfig as readConfig,
} from 'wrangler'

export interface TestRuntimeOptions {
  /** Path of a wrangler configuration. */
  readonly configuration: string
  /** Another entry than that of the configuration. */
  readonly entry?: string
  /** Another folder of files than that of the configuration. */
  readonly files?: string
  /** The Worker's variables and secrets, besides those of the configuration. */
  readonly variables?: Readonly<Record<string, string>>
  /** Folder of what the Worker stores; by default it ends with the runtime. */
  readonly state?: string
}

export interface WorkerRuntime {
  readonly origin: string
  /** Returns what the Worker has printed. */
  readOutput(): string
  /** Kills the runtime, and the Worker with all that it has not stored. */
  kill(): Promise<void>
}

const NAME = 'worker'

export async function startRuntime(options: TestRuntimeOptions): Promise<WorkerRuntime> {
  const { configuration, files, variables = {}, state } = options
  const config = readConfig({ config: configuration })
  const { vars, main = '', alias = {}, define = {} } = config
  const assets = files === undefined ? config.assets : { ...config.assets, directory: files }
  const { workerOptions } = readOptions({ ...config, assets })
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-runtime-'))
  const script = join(folder, 'worker.mjs')
  const paths = Object.entries<string>(alias).map(([name, path]) => [
    name,
    resolve(dirname(configuration), path),
  ])
  writeFileSync(script, await bundle(options.entry ?? main, { alias: Object.fromEntries(paths), define }))
  const said: string[] = []
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      cf: false,
      unsafeTriggerHandlers: true,
      handleStructuredLogs: ({ message }) => void said.push(message),
      resourcePersistencePath: state ?? join(folder, 'state'),
      workers: [
        {
          ...workerOptions,
          name: NAME,
          rootPath: folder,
          modules: [{ type: 'ESModule', path: script }],
          // Without what `.env` has.
          bindings: { ...vars, ...variables },
        },
      ],
    }),
  )
  const kill = async (): Promise<void> => {
    await runtime.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
  return { origin: (await runtime.ready).origin, readOutput: () => said.join('\n'), kill }
}

interface Replacements {
  readonly alias: Readonly<Record<string, string>>
  readonly define: Readonly<Record<string, string>>
}

const bundles = new Map<string, Promise<string>>()

function bundle(entry: string, replacements: Replacements): Promise<string> {
  const key = JSON.stringify([entry, replacements])
  const made = bundles.get(key) ?? createBundle(entry, replacements)
  bundles.set(key, made)
  return made
}

/** Name of the module around the Worker's own entry. */
const ENTRY = 'limited-entry'

function createEntry(entry: string): string {
  const [own, limits] = [entry, LIMITS].map((path) => JSON.stringify(path))
  return `export * from ${own}
import worker from ${own}
import { limitCalls } from ${limits}
export default limitCalls(worker)`
}

/** The module that takes the place of the runtime's own. */
const LIMITS = join(import.meta.dirname, 'workers/limited-workers.ts')

function isLimited(name: string, importer: string | undefined): boolean {
  return name === 'cloudflare:workers' && importer !== LIMITS
}

async function createBundle(entry: string, { alias, define }: Replacements): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    define,
    resolve: { alias, conditions: ['workerd', 'worker', 'module', 'browser'] },
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      write: false,
      minify: false,
      ssr: true,
      target: 'esnext',
      rolldownOptions: {
        input: ENTRY,
        external: (name, importer) => /^(?:cloudflare|node):/.test(name) && !isLimited(name, importer),
        output: { codeSplitting: false },
      },
    },
    plugins: [
      {
        name: 'limits of the service',
        resolveId: (name, importer) => {
          if (name === ENTRY) return ENTRY
          return isLimited(name, importer) ? LIMITS : null
        },
        load: (name) => (name === ENTRY ? createEntry(entry) : null),
      },
    ],
  })
  const chunks = [result].flat().flatMap((one) => ('output' in one ? one.output : []))
  const [chunk] = chunks.filter(({ type }) => type === 'chunk')
  if (chunk?.type !== 'chunk') throw new Error(`bundling ${entry} gave no code`)
  return chunk.code
}
