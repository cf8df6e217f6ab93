/** The builders' calls about objects. In a site without objects these addresses do not exist. */
import {
  parseBatch,
  parseFiles,
  parseLive,
  parseMissing,
  parseObjectData,
  parsePacked,
  parseTags,
} from '../../domain/wire/object-bodies.ts'
import type { UnreadBatch } from '../../domain/wire/object-bodies.ts'
import type { PushAnswer, PushedObject, PushResult } from '../../domain/wire/object-calls.ts'
import { LARGEST_BATCH, LARGEST_PUSH } from '../../domain/wire/object-calls.ts'
import type { BodyLimits } from '../../domain/wire/read-body.ts'
import { listTags } from '../pages/list-tags.ts'
import type { ObjectHost } from '../pages/object-host.ts'
import { pushObjects } from '../pages/push-objects.ts'
import { sendNextStep } from '../pages/refill.ts'
import type { UnpackedFile } from '../pages/store-files.ts'
import { findMissing, storeFiles } from '../pages/store-files.ts'
import type { HostRoute } from './prepare-call.ts'
import { answer, parseJson, prepareCall } from './prepare-call.ts'
import { refuse } from './refuse.ts'
import { decodeBase64, unpackText } from './unpack.ts'

const SMALL: BodyLimits = { size: 256 * 1024, time: 10_000 }
/** A slow line takes its time. */
const LARGE: BodyLimits = { size: LARGEST_PUSH, time: 60_000 }

export const OBJECT_ROUTES: readonly HostRoute<ObjectHost>[] = [
  {
    path: '/tags',
    limits: SMALL,
    prepare: prepareCall(parseTags, async (host, call) => answer(await listTags(call, host))),
  },
  { path: '/push', limits: LARGE, prepare: prepareCall(parsePacked, answerPush) },
  {
    path: '/missing',
    limits: SMALL,
    prepare: prepareCall(parseMissing, async ({ store }, call) => answer(await findMissing(call, store))),
  },
  {
    path: '/files',
    limits: LARGE,
    prepare: prepareCall(unpackFiles, async ({ store }, files) => answer(await storeFiles(files, store))),
  },
  {
    path: '/live',
    limits: SMALL,
    prepare: prepareCall(parseLive, (host, { code }) => answerLive(host, code)),
  },
]

async function answerPush(host: ObjectHost, gzip: string): Promise<Response> {
  const packed = decodeBase64(gzip)
  const text = packed === null ? 400 : await unpackText(packed, LARGEST_BATCH)
  if (typeof text === 'number') return refuse(text)
  const batch = parseBatch(parseJson(text))
  if (batch === null) return refuse(400)
  // A batch of another version of the data cannot be understood, whatever its shape.
  if (batch.format !== host.renderer.format) return refuse(422)
  return answer(await pushRead(batch, host))
}

/** Pushes what is well formed, and tells what is wrong with the rest. */
async function pushRead(batch: UnreadBatch, host: ObjectHost): Promise<PushAnswer> {
  const objects: PushedObject[] = []
  const wrong: PushResult[] = []
  for (const { name, tag, ...unread } of batch.objects) {
    const data = parseObjectData({ name, tag, ...unread })
    if (data !== null && 'problem' in data) wrong.push({ name, outcome: 'failed', reason: data.problem })
    else objects.push({ name, tag, data })
  }
  const { results } = await pushObjects({ ...batch, objects }, host)
  return { results: [...results, ...wrong] }
}

function unpackFiles(body: unknown): readonly UnpackedFile[] | null {
  const files = parseFiles(body)?.files ?? []
  const unpacked = files.flatMap(({ path, content }) => {
    const bytes = decodeBase64(content)
    return bytes === null ? [] : [{ path, bytes }]
  })
  return files.length === 0 || unpacked.length < files.length ? null : unpacked
}

async function answerLive(host: ObjectHost, code: string): Promise<Response> {
  if (code !== host.renderer.code) return refuse(409)
  const live = await host.ledger.goLive(code)
  if (live.refill !== 'done') await sendNextStep(host)
  return answer(live)
}
