/** Calls the Worker's API in this process, as a builder does. */
import { gzipSync } from 'node:zlib'
import { signMessage } from '../../../src/domain/wire/signature.ts'
import { createCallGuard } from '../../../src/edge/api/call-guard.ts'
import type { ApiOptions } from '../../../src/edge/api/routes.ts'
import { answerCall } from '../../../src/edge/api/routes.ts'
import { parseSecrets } from '../../../src/edge/coordinator/coordinator-settings.ts'

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
/** Signs notices, but no calls of builders. */
export const NOTICES = `whsec_${Buffer.alloc(24, 2).toString('base64')}`

/** By default, a call that opens the coordinator throws. */
export function createApi(parts: Partial<ApiOptions>): ApiOptions {
  return {
    secrets: parseSecrets({ BUILDER_SECRET: SECRET, NOTICE_SECRET: NOTICES }),
    guard: createCallGuard(() => {}),
    openCoordinator: () => {
      throw new Error('unexpected call')
    },
    log: () => {},
    ...parts,
  }
}

/** Returns the status and the parsed body of the answer. */
export async function callApi(
  options: ApiOptions,
  path: string,
  content: unknown,
  secret = SECRET,
): Promise<readonly [status: number, answer: unknown]> {
  const body = JSON.stringify(content)
  const headers = signMessage([secret], { id: 'message', body }, new Date())
  const request = new Request(`https://vitrina.do/api/rebuild${path}`, { method: 'POST', headers, body })
  const response = await answerCall(request, options)
  return [response.status, await response.json()]
}

/** Compresses a body as builders do with a large one. */
export const pack = (content: unknown): object => ({
  gzip: gzipSync(JSON.stringify(content)).toString('base64'),
})
