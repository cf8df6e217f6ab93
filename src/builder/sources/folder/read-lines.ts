/** Splits a file of any size into lines, with one line in memory at a time. */
import { createReadStream } from 'node:fs'

export interface Line {
  /** Counted from 1. */
  readonly number: number
  /** `null` if the line exceeds `MAX_LINE`. Invalid UTF-8 is replaced. */
  readonly text: string | null
}

/** Max bytes of a line. A Firestore document has at most 1 MiB. */
export const MAX_LINE = 16 * 1024 * 1024

const CHUNK = 256 * 1024
const LINE_FEED = 0x0a
const BYTE_ORDER_MARK = /^\uFEFF/

export async function* readLines(path: string): AsyncGenerator<Line> {
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK })
  const holder = createLineHolder()
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      holder.hold(chunk.subarray(start, end))
      yield holder.takeLine()
      start = end + 1
    }
    holder.hold(chunk.subarray(start))
  }
  yield holder.takeLine()
}

interface LineHolder {
  hold(part: Buffer): void
  takeLine(): Line
}

function createLineHolder(): LineHolder {
  let parts: Buffer[] = []
  let size = 0
  let number = 0
  return {
    hold: (part) => {
      size += part.length
      if (size <= MAX_LINE) parts.push(part)
      else parts = []
    },
    takeLine: () => {
      number += 1
      const text = size > MAX_LINE ? null : decode(parts)
      parts = []
      size = 0
      return { number, text: number === 1 ? (text?.replace(BYTE_ORDER_MARK, '') ?? null) : text }
    },
  }
}

function decode(parts: readonly Buffer[]): string {
  const [first] = parts
  const bytes = first !== undefined && parts.length === 1 ? first : Buffer.concat(parts)
  return bytes.toString('utf8')
}
