/** Asks how static files are served. */
import type { AskService, Asked, AskWorld } from './asking.ts'

const HEADER = 'x-probe'

export function askFile(path: string): AskService {
  return async ({ probe }): Promise<Asked> => {
    const { status, text, headers } = await probe.visit(path)
    const to = headers.get('location')
    return { answer: to === null ? { status, text, header: headers.get(HEADER) } : { status, to } }
  }
}

export async function askAssets({ probe }: AskWorld): Promise<Asked> {
  const tag = (await probe.visit('/seller/page')).headers.get('etag')
  const { status } = await probe.visit('/seller/page', { 'if-none-match': tag ?? '' })
  return { answer: { status, hasTag: tag !== null } }
}
