/** Deploys to the Worker of a bucket and its coordinator on the local runtime, whose clock the test moves. */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { request as callHttp } from 'node:http'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { command } from '../../../../src/builder/commands/deploy/deploy.ts'
import { ROOT } from '../../../../src/builder/files/project-folder.ts'
import { createBucketClient } from '../../../../src/builder/publish/bucket-client.ts'
import {
  createCoordinatorClient,
  createToken,
} from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import { MARKER } from '../../../../src/domain/wire/site-marker.ts'
import type { WorkerRuntime } from '../../../support/edge/worker-runtime.ts'
import { startRuntime } from '../../../support/edge/worker-runtime.ts'
import { product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import { runHere } from '../../../support/rebuild/run-here.ts'
import { ensureCompiled } from '../../../support/rebuild/sample-renderer.ts'
import { readFiles } from '../../../support/run/files.ts'
import { startServer } from '../../../support/run/servers.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const SELLERS = ['ana', 'berta', 'carla', 'dora']
/** Longer than a lease, in milliseconds. */
const LONG = 3 * 60_000

beforeAll(ensureCompiled)

/** Writes a source in which all products have this price. */
function writeShop(price: number): void {
  const documents = SELLERS.flatMap((id) => [
    user(id),
    product(`${id}1`, id, { price }),
    product(`${id}2`, id, { price }),
  ])
  writeFolder(path('shop'), documents)
}

/** A put whose body stops half-way until this is done. */
interface HeldPut {
  /** Number of puts before it. */
  left: number
  readonly meanwhile: () => Promise<unknown>
}

/** Passes calls on to the Worker. Returns its origin. */
function startProxy(worker: WorkerRuntime, held: { put: HeldPut | null }): Promise<string> {
  const { hostname, port } = new URL(worker.origin)
  return startServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const { method, url: address, headers } = request
    const call = callHttp({ hostname, port, path: address, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    call.on('error', () => response.destroy())
    const { put } = held
    if (method === 'PUT' && put !== null && (put.left -= 1) < 0) {
      held.put = null
      call.write(body.subarray(0, body.length / 2))
      await put.meanwhile()
      call.end(body.subarray(body.length / 2))
    } else call.end(body)
  })
}

function deploy(url: string) {
  return runHere({ name: 'deploy', definition: command }, ['--out', path('dist'), '--state', path('state')], {
    PATH: process.env['PATH'] ?? '',
    VITRINA_WRANGLER: join(ROOT, 'tests/support/publish/wrangler-stub.mjs'),
    WRANGLER_STUB: path('account'),
    CATALOGUE_SOURCE: path('shop'),
    SITE_URL: url,
    REBUILD_SECRET: SECRET,
    HOSTING: 'bucket',
    PHOTOS: 'off',
  })
}

/** Returns the MD5s of what lies in the bucket, by key. */
async function listBucket(url: string): Promise<Readonly<Record<string, string>>> {
  const token = createToken()
  const client = createCoordinatorClient({ url, secrets: { notice: [], rebuild: [SECRET] } })
  await client.claim(token, 'test', null)
  const skip = async (): Promise<void> => {}
  const listed = await createBucketClient({ origin: url, token, permit: skip, wait: skip }).list('')
  await client.fail(token, 'the test has looked')
  return Object.fromEntries(listed)
}

/** Returns the MD5s of the files of the output folder, by path. */
function listOutput(): Readonly<Record<string, string>> {
  const files = Object.entries(readFiles(path('dist')))
  return Object.fromEntries(
    files.map(([name, bytes]) => [name, createHash('md5').update(bytes, 'latin1').digest('hex')]),
  )
}

it('a publish whose lease ends while a file is on its way leaves whole files, and the next one mends the bucket', async () => {
  const worker = await startRuntime({
    configuration: join(ROOT, 'wrangler.bucket.jsonc'),
    entry: join(ROOT, 'tests/support/edge/workers/bucket-entry.ts'),
    variables: { REBUILD_SECRET: SECRET },
  })
  onTestFinished(() => worker.kill())
  const held: { put: HeldPut | null } = { put: null }
  const url = await startProxy(worker, held)
  mkdirSync(path('account'))
  writeShop(100)
  expect(await deploy(url)).toMatchObject({ code: 0 })
  const before = listOutput()
  expect(await listBucket(url)).toEqual(before)
  writeShop(200)
  held.put = {
    left: 7,
    meanwhile: () => fetch(`${worker.origin}/api/test/pass`, { method: 'POST', body: String(LONG) }),
  }
  expect(await deploy(url)).not.toMatchObject({ code: 0 })
  const after = listOutput()
  const between = Object.entries(await listBucket(url)).filter(([name]) => name !== MARKER)
  const kinds = between.map(([name, md5]) =>
    md5 === after[name] ? 'new' : md5 === before[name] ? 'old' : 'torn',
  )
  expect(new Set(kinds)).toEqual(new Set(['new', 'old']))
  expect(await deploy(url)).toMatchObject({ code: 0 })
  expect(await listBucket(url)).toEqual(listOutput())
})
