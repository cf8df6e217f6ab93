/** Parts of the routes that builders call: a parsed body and its host become an answer. */

import type { BodyLimits } from '../../domain/wire/read-body.ts'

/** A call about what only some sites have. */
export interface HostRoute<Host> {
  readonly path: string
  readonly limits: BodyLimits
  /** Returns `null` when the body is malformed. */
  readonly prepare: (body: unknown) => ((host: Host) => Promise<Response>) | null
}

/** The created function returns `null` when the body is malformed. */
export function prepareCall<Host, Body>(
  parse: (body: unknown) => Body | null,
  call: (host: Host, body: Body) => Promise<Response>,
): (body: unknown) => ((host: Host) => Promise<Response>) | null {
  return (json) => {
    const body = parse(json)
    return body === null ? null : (host) => call(host, body)
  }
}

export function answer(body: object): Response {
  return Response.json(body)
}

/** Returns `undefined` for text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
