/** Creates the routes of a table of calls from their handlers. */
import { object, string } from 'valibot'
import type { Answered, Call, CallTable, ParsedBody } from '../../domain/wire/call.ts'
import { LARGEST_BATCH, parseBody, PREFIX } from '../../domain/wire/call.ts'
import { refuse } from './refuse.ts'
import { unpackText } from './unpack.ts'

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

/** The host of a table's calls: the interface to outside services that their handlers receive. */
export interface CallPart<Host, Options> {
  /** The name of the host in the log line of a call that rejects. */
  readonly name: string
  /**
   * Returns the function that opens the host, which is called only for valid calls. Returns `undefined` in a site
   * without this host.
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

/** Returns `undefined` for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
