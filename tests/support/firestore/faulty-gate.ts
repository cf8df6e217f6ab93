/** A proxy between a reader and the REST API of a Firestore emulator: counts the calls, and makes chosen ones fail. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { LocalServer } from '../../../scripts/local/local-server.ts'

export type Fault =
  /** `body` is sent as it is. */
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly body?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly kind: 'silence' }
  /** Sends the first bytes of the answer, then nothing. */
  | { readonly kind: 'stall'; readonly bytes: number }
  /** Sends the first bytes of the answer, then breaks the connection. */
  | { readonly kind: 'cut'; readonly bytes: number }
  /** Answers after a pause, in milliseconds. */
  | { readonly kind: 'slow'; readonly pause: number }

interface GateCall {
  /** Such as `runQuery`. */
  readonly method: string
  /** 1 for the first. */
  readonly number: number
  readonly body: string
}

/** Is asked before each call. `null` lets it pass. */
export type Decide = (call: GateCall) => Fault | null | Promise<Fault | null>

export interface FaultyGate {
  /** `host:port` */
  readonly host: string
  readonly calls: readonly GateCall[]
  stop(): Promise<void>
}

/** The form of an error of a streaming method in Google’s API. */
export function createFault(status: number, code: string, message = 'not now'): Fault {
  return {
    kind: 'answer',
    status,
    body: JSON.stringify([{ error: { code: status, message, status: code } }]),
  }
}

/** `target`: `host:port` of an emulator. */
export async function startGate(target: string, decide: Decide): Promise<FaultyGate> {
  const calls: GateCall[] = []
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const method = /:(\w+)(?:\?|$)/.exec(request.url ?? '')?.[1] ?? ''
    const call = { method, number: calls.length + 1, body: body.toString() }
    calls.push(call)
    const fault = await decide(call)
    if (fault?.kind === 'silence') return
    if (fault?.kind === 'answer') return send(response, fault)
    if (fault?.kind === 'slow') await wait(fault.pause)
    const answer = await forward(target, request, body)
    if (fault?.kind !== 'cut' && fault?.kind !== 'stall') return send(response, answer)
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.write(answer.body.slice(0, fault.bytes))
    if (fault.kind === 'cut') setTimeout(() => response.destroy(), ARRIVAL)
  }
  const server = await new LocalServer(pass).start()
  return { host: server.host, calls, stop: async () => server.close() }
}

/** Pause before a connection is broken: a reset discards bytes that are not read yet. In milliseconds. */
const ARRIVAL = 30

interface Answer {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function forward(
  target: string,
  { url, headers }: IncomingMessage,
  body: Buffer,
): Promise<Answer & { readonly body: string }> {
  const { authorization } = headers
  const response = await fetch(`http://${target}${url}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: new Uint8Array(body),
  })
  return { status: response.status, body: await response.text() }
}

function send(response: ServerResponse, { status, body = '', headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}
