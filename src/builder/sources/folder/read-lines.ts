/** Cuts a file of any size into lines, holding one at a time. It knows nothing of what they say. */
import { createReadStream } from 'node:fs'

export interface Line {
  /** Counted from 1. */
  readonly number: number
  /** `null` when the line is too long to be held. What is not UTF-8 in it is replaced. */
  readonly text: string | null
}

/** In bytes. A document of Firestore holds at most 1 MiB. */
export const MAX_LINE = 16 * 1024 * 1024

const CHUNK = 256 * 1024
const LINE_FEED = 0x0a
const BYTE_ORDER_MARK = /^\uFEFF/

export async function* readLines(path: string): AsyncGenerator<Line> {
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK })
  const holder = new LineHolder()
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

class LineHolder {
  #parts: Buffer[] = []
  #size = 0
  #number = 0

  hold(part: Buffer): void {
    this.#size += part.length
    if (this.#size <= MAX_LINE) this.#parts.push(part)
    else this.#parts = []
  }

  takeLine(): Line {
    this.#number += 1
    const line = { number: this.#number, text: this.#decode() }
    this.#parts = []
    this.#size = 0
    return line
  }

  #decode(): string | null {
    if (this.#size > MAX_LINE) return null
    const [first] = this.#parts
    const bytes = first !== undefined && this.#parts.length === 1 ? first : Buffer.concat(this.#parts)
    const text = bytes.toString('utf8')
    return this.#number === 1 ? text.replace(BYTE_ORDER_MARK, '') : text
  }
}
