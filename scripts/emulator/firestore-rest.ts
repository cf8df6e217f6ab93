/** Serves Firestore's REST API from the emulator's state, with errors in Google's format. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { FirestoreState } from '@firestore-emulator/server'
import { ValiError } from 'valibot'
import { METHODS, openRestPlace, RestRefusal } from './rest-reads.ts'

const PATH = /^\/v1\/projects\/([^/]+)\/databases\/([^/]+)\/documents:(\w+)$/
const STREAMED = new Set(['batchGet', 'runQuery'])

export function createRestServer(state: FirestoreState): Server {
  return createServer((request, response) => {
    handle(state, request, response).catch(() => response.destroy())
  })
}

async function handle(
  state: FirestoreState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request)
  const method = PATH.exec(request.url?.split('?')[0] ?? '')?.[3] ?? ''
  try {
    answer(response, 200, call(state, request, body))
  } catch (error) {
    const { code, status, message } = explain(error)
    const told = { error: { code, message, status } }
    answer(response, code, STREAMED.has(method) ? [told] : told)
  }
}

function call(state: FirestoreState, { method, url, headers }: IncomingMessage, body: string): unknown {
  const [, project = '', database = '', name = ''] = PATH.exec(url?.split('?')[0] ?? '') ?? []
  const run = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
  if (method !== 'POST' || run === undefined) throw new RestRefusal(404, 'NOT_FOUND', 'Method not found.')
  if (headers.authorization === undefined)
    throw new RestRefusal(403, 'PERMISSION_DENIED', 'Missing or insufficient permissions.')
  return run(
    openRestPlace(state, decodeURIComponent(project), decodeURIComponent(database)),
    JSON.parse(body),
  )
}

function explain(error: unknown): RestRefusal {
  if (error instanceof RestRefusal) return error
  if (error instanceof ValiError || error instanceof SyntaxError)
    return new RestRefusal(400, 'INVALID_ARGUMENT', error.message)
  return new RestRefusal(500, 'INTERNAL', String(error))
}

function answer(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { 'content-type': 'application/json; charset=UTF-8' })
  response.end(JSON.stringify(body))
}
