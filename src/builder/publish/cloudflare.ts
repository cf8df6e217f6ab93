/** Hosting by Cloudflare Workers, through wrangler. */
import type { GenericSchema, InferOutput } from 'valibot'
import { array, number, object, optional, parse, string } from 'valibot'
import type { HostedVersion, Hosting, Upload, Uploaded } from './hosting.ts'
import type { Wrangler, WranglerRun } from './wrangler.ts'
import { WranglerError } from './wrangler.ts'

const MINUTE = 60_000
/** Covers a first upload of very many files. In milliseconds, as all times here. */
const UPLOAD_TIMEOUT = 30 * MINUTE
const TIMEOUT = MINUTE

const DEPLOYMENTS = array(
  object({
    created_on: string(),
    versions: array(object({ version_id: string(), percentage: number() })),
  }),
)
const VERSIONS = array(
  object({
    id: string(),
    metadata: object({ created_on: string() }),
    annotations: optional(
      object({ 'workers/tag': optional(string(), ''), 'workers/message': optional(string(), '') }),
    ),
  }),
)

/** The API's code for a Worker that does not exist. */
const NOT_FOUND = 'code: 10007'

const FOUND = /Found ([\d,]+) new or modified/
const NONE_FOUND = /No updated asset files to upload/

export function createCloudflare(run: Wrangler): Hosting {
  const list = async <Schema extends GenericSchema>(
    schema: Schema,
    what: string,
  ): Promise<InferOutput<Schema>> => parseJson(schema, (await run([what, 'list', '--json'], TIMEOUT)).stdout)
  const listDeployments = async (): Promise<InferOutput<typeof DEPLOYMENTS>> =>
    (await list(DEPLOYMENTS, 'deployments')).toSorted((a, b) => b.created_on.localeCompare(a.created_on))
  return {
    upload: async (upload) =>
      readUploaded(
        await run(['versions', 'upload', ...listArguments(upload)], UPLOAD_TIMEOUT),
        'version-upload',
      ),
    putLive: async (version, message, timeout) => {
      await run(['versions', 'deploy', `${version}@100%`, '--yes', '--message', message], timeout)
    },
    deployWhole: async (upload) =>
      readUploaded(await run(['deploy', ...listArguments(upload)], UPLOAD_TIMEOUT), 'deploy'),
    findLive: async () => {
      const [latest] = await listDeployments().catch(allowMissing)
      const [first, ...others] = latest?.versions ?? []
      return others.length === 0 ? (first?.version_id ?? null) : null
    },
    listDeployed: async () => {
      const [deployments, versions] = await Promise.all([listDeployments(), list(VERSIONS, 'versions')])
      const ids = new Set(deployments.flatMap((one) => one.versions.map(({ version_id: id }) => id)))
      return [...ids].flatMap((id) => versions.filter((version) => version.id === id).map(toHosted))
    },
  }
}

function allowMissing(error: unknown): readonly [] {
  if (error instanceof WranglerError && error.message.includes(NOT_FOUND)) return []
  throw error
}

function listArguments({ folder, tag, message }: Upload): readonly string[] {
  return ['--assets', folder, '--tag', tag, '--message', message]
}

function readUploaded({ entries, stdout }: WranglerRun, type: string): Uploaded {
  const entry = entries.find((one) => one['type'] === type)
  const version = entry?.['version_id']
  if (typeof version !== 'string')
    throw new WranglerError(
      'wrangler did not report the id of the new version: see npx wrangler deployments list',
    )
  const address = entry?.['preview_url']
  const count = FOUND.exec(stdout)?.[1]?.replaceAll(',', '')
  const files = count === undefined ? (NONE_FOUND.test(stdout) ? 0 : null) : Number(count)
  return { version, address: typeof address === 'string' ? address : null, files }
}

function toHosted({ id, metadata, annotations }: InferOutput<typeof VERSIONS>[number]): HostedVersion {
  const { 'workers/tag': tag = '', 'workers/message': message = '' } = annotations ?? {}
  return { version: id, tag, message, created: metadata.created_on }
}

function parseJson<Schema extends GenericSchema>(schema: Schema, text: string): InferOutput<Schema> {
  try {
    return parse(schema, JSON.parse(text))
  } catch (error) {
    throw new WranglerError('the output of wrangler is not the expected JSON', { cause: error })
  }
}
