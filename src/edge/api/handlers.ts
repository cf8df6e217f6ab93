/** Creates the routes of a table of calls from their handlers. */
import { parseJson } from '../../domain/documents/json.ts'
import type { Answered, Call, CallTable, ParsedBody } from '../../domain/wire/call.ts'
import { parseBody, PREFIX } from '../../domain/wire/call.ts'
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

export interface Route<Host> {
  readonly call: Call
  /** `open` is called only for calls with a valid body. */
  readonly answer: (open: () => Host, text: string, sender: CallSender) => Promise<Response>
}

export function createRoutes<Host, Table extends CallTable>(
  table: Table,
  handlers: Handlers<Host, Table>,
): readonly (readonly [path: string, route: Route<Host>])[] {
  return Object.entries(table).map(([name, call]) => {
    const handle = handlers[name] as Handle<Host, Call>
    const answer: Route<Host>['answer'] = async (open, text, sender) => {
      const body = parseBody(call.body, parseJson(text))
      if (body === null) return refuse(400)
      const answered = await handle(open(), body, sender)
      if (answered instanceof Response) return answered
      if (answered !== null) return Response.json(answered)
      return Response.json({ error: call.conflict }, { status: 409 })
    }
    return [PREFIX + call.path, { call, answer }]
  })
}
