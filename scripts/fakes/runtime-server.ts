/** Serves an uploaded version in workerd, Cloudflare's runtime, with its code, secrets and files. */
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { request as openRequest } from 'node:http'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream'
import type { MiniflareOptions, Request } from 'miniflare'
import { convertV4MiniflareOptions, Miniflare, Response } from 'miniflare'
import { unstable_getMiniflareWorkerOptions as readOptions } from 'wrangler'
import type { AssetStore } from './asset-store.ts'
import type { QueueConsumer } from './fake-stores.ts'
import type { VersionServer } from './edge-site.ts'
import type { FakeVersion, WorkerCode } from './worker-version.ts'

/** The compatibility date of code that was uploaded without one. */
const OLDEST_DATE = '2026-01-01'
const NAME = 'worker'

interface Scheduled {
  scheduled(event: { readonly scheduledTime: Date; readonly cron: string }): Promise<unknown>
}

interface Bucket {
  list(options: {
    readonly prefix: string
  }): Promise<{ readonly objects: readonly { readonly key: string }[] }>
  delete(key: string): Promise<void>
}

interface RuntimeOptions {
  /**
   * Folder for the versions of the Worker, and for its stored data, which outlives the versions. `close` removes the
   * folder.
   */
  readonly folder: string
  readonly assets: AssetStore
  /** Lists the queues from which the Worker takes messages. */
  readonly listConsumers: () => readonly QueueConsumer[]
  /**
   * Maps origins that the Worker calls to origins of stand-ins. Calls to all other origins are answered with status
   * 502.
   */
  readonly hosts: () => Readonly<Record<string, string>>
}

export function createRuntimeServer({ folder, assets, listConsumers, hosts }: RuntimeOptions): VersionServer {
  let runtime: Miniflare | null = null
  let origin: URL | null = null
  let isClosed = false
  // Settles when the latest version is running, or when its start has failed. Requests wait for this.
  let shown: Promise<void> = Promise.resolve()
  // Requests that are not answered yet. The runtime is restarted with a new version only after these requests have
  // ended.
  const underWay = new Set<Promise<unknown>>()
  const show = async (version: FakeVersion): Promise<void> => {
    const { code } = version
    if (code === null || isClosed) return
    const place = join(folder, version.id)
    writeVersion(place, { ...version, code }, { assets, consumers: listConsumers() })
    const options = createOptions(place, { ...version, code }, { folder, hosts })
    await Promise.all(underWay)
    if (runtime === null) runtime = new Miniflare(options)
    else await runtime.setOptions(options)
    origin = await runtime.ready
  }
  // Cast, because the return type of Miniflare needs the types of another package.
  const openBucket = async (binding: string): Promise<Bucket | undefined> =>
    (await runtime?.getR2Bucket(binding, NAME)) as unknown as Bucket | undefined
  return {
    show: (version) => (shown = shown.catch(() => {}).then(() => show(version))),
    answer: (request, response) => {
      const begin = (): void => {
        // The visitor left while the version was starting.
        if (response.destroyed) return
        if (origin === null) return void response.writeHead(404).end()
        const over = once(response, 'close').finally(() => underWay.delete(over))
        underWay.add(over)
        pass(request, response, origin)
      }
      void shown.then(begin, () => response.writeHead(500).end('error code: 1101'))
    },
    countObjects: async (binding) => {
      const bucket = await openBucket(binding)
      return (await bucket?.list({ prefix: '' }))?.objects.length ?? 0
    },
    deleteObjects: async (binding, prefix) => {
      const bucket = await openBucket(binding)
      const { objects } = (await bucket?.list({ prefix })) ?? { objects: [] }
      for (const { key } of objects) await bucket?.delete(key)
      return objects.length
    },
    runSchedule: async () => {
      // Cast, because the return type of Miniflare needs the types of another package.
      const worker = (await runtime?.getWorker(NAME)) as unknown as Scheduled | undefined
      await worker?.scheduled({ scheduledTime: new Date(), cron: '' })
    },
    close: async () => {
      isClosed = true
      // Waits for a start of the runtime that is under way, because the runtime is disposed of next.
      await shown.catch(() => {})
      await runtime?.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Running extends FakeVersion {
  readonly code: WorkerCode
}

interface Surroundings {
  readonly assets: AssetStore
  readonly consumers: readonly QueueConsumer[]
}

function writeVersion(
  place: string,
  { code, files, secrets }: Running,
  { assets, consumers }: Surroundings,
): void {
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), content)
  }
  const { _headers, _redirects, ...rules } = code.assets
  for (const [path, hash] of files) write(`dist${path}`, assets.read(hash) ?? '')
  if (_headers !== undefined) write('dist/_headers', _headers)
  if (_redirects !== undefined) write('dist/_redirects', _redirects)
  for (const [name, content] of code.modules) write(name, content)
  const objects = code.bindings.filter(({ type }) => type === 'durable_object_namespace')
  const classes = objects.map(({ class_name: name }) => name)
  const configuration = {
    name: NAME,
    main: code.main,
    compatibility_date: code.date ?? OLDEST_DATE,
    ...(files.size > 0 && { assets: { directory: 'dist', ...rules, ...findAssetBinding(code) } }),
    ...createStores(code, consumers),
    durable_objects: { bindings: objects.map(({ name, class_name }) => ({ name, class_name })) },
    ...(classes.length > 0 && { migrations: [{ tag: 'v1', new_sqlite_classes: classes }] }),
    vars: Object.fromEntries([
      ...code.bindings.flatMap(({ type, name, text }) => (type === 'plain_text' ? [[name, text]] : [])),
      ...[...secrets].flatMap(([name, { text }]) => (text === null ? [] : [[name, text]])),
    ]),
  }
  write('wrangler.json', JSON.stringify(configuration))
}

function findAssetBinding({ bindings }: WorkerCode): object {
  const found = bindings.find(({ type }) => type === 'assets')
  return found === undefined ? {} : { binding: found.name }
}

function createStores({ bindings }: WorkerCode, consumers: readonly QueueConsumer[]): object {
  const buckets = bindings.filter(({ type }) => type === 'r2_bucket')
  const queues = bindings.filter(({ type }) => type === 'queue')
  return {
    r2_buckets: buckets.map(({ name, bucket_name }) => ({ binding: name, bucket_name })),
    queues: {
      producers: queues.map(({ name, queue_name: queue }) => ({ binding: name, queue })),
      consumers: consumers.map(({ queue, dead_letter_queue, settings }) => ({
        queue,
        max_batch_size: settings.batch_size,
        max_batch_timeout: (settings.max_wait_time_ms ?? 0) / 1_000,
        max_retries: settings.max_retries,
        dead_letter_queue,
      })),
    },
  }
}

function createOptions(
  place: string,
  { code }: Running,
  { folder, hosts }: Pick<RuntimeOptions, 'folder' | 'hosts'>,
): MiniflareOptions {
  const { workerOptions } = readOptions(join(place, 'wrangler.json'))
  const modules = [code.main, ...[...code.modules.keys()].filter((name) => name !== code.main)]
  return convertV4MiniflareOptions({
    host: '127.0.0.1',
    port: 0,
    resourcePersistencePath: join(folder, 'objects'),
    workers: [
      {
        ...workerOptions,
        name: NAME,
        outboundService: (request) => passOut(request, hosts()),
        modules: modules.map((name) => ({ type: 'ESModule', path: join(place, name) })),
      },
    ],
  })
}

async function passOut(request: Request, hosts: Readonly<Record<string, string>>): Promise<Response> {
  const { origin, pathname, search } = new URL(request.url)
  const host = hosts[origin]
  if (host === undefined) return new Response(`no stand-in plays ${origin}`, { status: 502 })
  const { method } = request
  const headers = Object.fromEntries(request.headers)
  const answer = await fetch(`${host}${pathname}${search}`, { method, headers, body: await request.text() })
  return new Response(answer.status === 204 ? null : await answer.text(), { status: answer.status })
}

function pass(request: IncomingMessage, response: ServerResponse, origin: URL): void {
  const { method, url, headers } = request
  // No agent, because a kept-alive connection may lead to the previous version. The path is not parsed as a URL,
  // because several slashes at its beginning would be parsed as the beginning of a host name.
  const { hostname, port } = origin
  const place = { hostname, port, path: url ?? '/' }
  const target = openRequest({ ...place, method, headers, agent: false }, (answer) => {
    // The visitor has already closed the connection.
    if (response.destroyed) return void answer.destroy()
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    pipeline(answer, response, () => {})
  })
  target.on('error', () => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end()
  })
  pipeline(request, target, () => {})
}
