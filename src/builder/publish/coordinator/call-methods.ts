/** The client's part of a `CallTable`: formats the bodies of calls, and creates a method for each call. */
import { gzipSync } from 'node:zlib'
import type { Answered, Call, CallTable, SentBody } from '../../../domain/wire/call.ts'
import { LARGEST_BATCH, LARGEST_PUSH } from '../../../domain/wire/call.ts'

/**
 * Sends a call and returns its parsed answer, or `null` for status 409 if the call has `conflict`. Rejects with a
 * `CallError` if the call fails.
 */
export type SendCall = <One extends Call>(
  call: One,
  body: SentBody<One>,
  options?: AskOptions,
) => Promise<Answered<One>>

export interface AskOptions {
  /** Id of the signed message; random by default. */
  readonly id?: string | undefined
  /** When this signal aborts, the call is not retried any more. */
  readonly signal?: AbortSignal | undefined
}

/** A method for each call of a table. It takes no argument if the body has no required field. */
export type CallMethods<Table extends CallTable> = {
  readonly [Name in keyof Table]: (
    ...body: object extends SentBody<Table[Name]> ? [] : [body: SentBody<Table[Name]>]
  ) => Promise<Answered<Table[Name]>>
}

export function createMethods<Table extends CallTable>(
  table: Table,
  ask: (call: Call, body: object) => Promise<unknown>,
): CallMethods<Table> {
  const methods = Object.entries(table).map(([name, call]) => [name, (body: object = {}) => ask(call, body)])
  return Object.fromEntries(methods) as CallMethods<Table>
}

/** Max uncompressed bytes of a batch, so that it fits into a call as base64 even if gzip does not make it smaller. */
export const FITTING = Math.floor(LARGEST_PUSH * 0.7)

/** Returns whether a body with data of `size` uncompressed bytes fits into one call. */
export function isSendable<One extends Call>(call: One, body: SentBody<One>, size: number): boolean {
  return size <= FITTING || (size <= LARGEST_BATCH && formatBody(call, body).length <= LARGEST_PUSH)
}

/** Returns the body as it is sent: JSON, compressed if the call is declared as packed. */
export function formatBody<One extends Call>({ isPacked }: One, body: SentBody<One>): string {
  const text = JSON.stringify(body)
  return isPacked === true ? JSON.stringify({ gzip: gzipSync(text).toString('base64') }) : text
}
