/** Creates the routes of a table of calls from their handlers. */
import { object, string } from 'valibot'
import { parseJson } from '../../domain/documents/json.ts'
import type { Answered, Call, CallTable, ParsedBody } from '../../domain/wire/call.ts'
import { LARGEST_BATCH, parseBody, PREFIX } from '../../domain/wire/call.ts'
import { refuse } from './refuse.ts'

interface CallSender {
  /** The call's id, from its header `webhook-id`. */
  readonly id: string
  /** Whether the call was signed with a builder's secret. */
  readonly isBuilder: boolean
}

type Handle<Host, One extends Call> = (
  host: Host,
  body: ParsedBody<One>,
  sender: CallSender,
) => Promise<Answered<One> | Response>

/** One handler for each call of the table. A handler may return a whole response instead of an answer. */
export type Handlers<Host, Table extends CallTable> = {
  readonly [Name in keyof Table]: Handle<Host, Table[Name]>
}

/**
 * Says how to open the host of a table's calls. The host is the object that the handlers receive to reach the
 * coordinator or the search index.
 */
interface CallPart<Host, Options> {
  /** The name of the host in the log line of a call that rejects. */
  readonly name: string
  /**
   * Returns the function that opens the host; `undefined` in a site without this host. The returned function is called
   * only for valid calls.
   */
  readonly find: (options: Options) => (() => Host) | undefined
}

export interface Route<Options> {
  readonly call: Call
  readonly part: string
  readonly isPresent: (options: Options) => boolean
  readonly answer: (options: Options, text: string, sender: CallSender) => Promise<Response>
}

const PACKED = object({ gzip: string() })

export function createRoutes<Host, Table extends CallTable, Options>(
  table: Table,
  { name: part, find }: CallPart<Host, Options>,
  handlers: Handlers<Host, Table>,
): readonly (readonly [path: string, route: Route<Options>])[] {
  return Object.entries(table).map(([name, call]) => {
    const handle = handlers[name] as Handle<Host, Call>
    const answer: Route<Options>['answer'] = async (options, text, sender) => {
      const body = await parseCall(call, text)
      if (typeof body === 'number') return refuse(body)
      const open = find(options)
      const answered = open === undefined ? refuse(404) : await handle(open(), body, sender)
      if (answered instanceof Response) return answered
      if (answered !== null) return Response.json(answered)
      return Response.json({ error: call.conflict }, { status: 409 })
    }
    return [PREFIX + call.path, { call, part, isPresent: (options) => find(options) !== undefined, answer }]
  })
}

/** Returns the parsed body, or the status with which the call is refused. */
async function parseCall({ body, isPacked }: Call, text: string): Promise<object | 400 | 413> {
  if (isPacked !== true) return parseBody(body, parseJson(text)) ?? 400
  const packed = parseBody(PACKED, parseJson(text))
  const unpacked = packed === null ? 400 : await unpackText(packed.gzip, LARGEST_BATCH)
  return typeof unpacked === 'number' ? unpacked : (parseBody(body, parseJson(unpacked)) ?? 400)
}

/**
 * Returns the text, or a status: 413 for more than `limit` bytes, 400 for text that is not base64 of gzipped UTF-8.
 * Stops reading at the limit.
 */
async function unpackText(gzip: string, limit: number): Promise<string | 413 | 400> {
  const packed = decodeBase64(gzip)
  if (packed === null) return 400
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  const reader = unpacked.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let size = 0
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      size += value.length
      if (size > limit) return 413
      text += decoder.decode(value, { stream: true })
    }
  } catch {
    return 400
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** Returns `null` for text that is not base64. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
