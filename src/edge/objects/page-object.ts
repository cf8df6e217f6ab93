/**
 * The bytes of a stored object: a line of JSON, the data as canonical JSON, the HTML of the object's page. The line
 * contains the length of the data, so that the HTML is found without parsing the data. A tombstone has neither data nor
 * HTML.
 */
import type { SellerData } from '../../domain/objects/object-data.ts'
import { isRecord, parseJson } from '../../domain/documents/json.ts'

export type PageObject = StoredPage | Tombstone

interface Tombstone {
  readonly kind: 'gone'
  /** Grows with each put. */
  readonly version: number
}

export interface StoredPage extends PageFacts {
  readonly kind: 'page'
  /** UTF-8; empty if only the bytes before the HTML were read. */
  readonly html: Uint8Array
  /** Parses the data. The caller must first check that `format` is `FORMAT`. */
  readonly readData: () => SellerData
  /** Returns the data as canonical JSON. */
  readonly readDataText: () => string
}

/** The facts about a page that the first line contains. */
interface PageFacts {
  readonly version: number
  /** Version of the data's shape. */
  readonly format: number
  /**
   * Hash of the code that made the data from the documents, and of everything else that the data depends on, except the
   * documents.
   */
  readonly intake: string
  /** Fingerprint of the renderer with the site's settings. */
  readonly code: string
  /** The value of `Content-Security-Policy` that the HTML needs. */
  readonly policy: string
  /** Hash of the HTML. */
  readonly etag: string
}

interface FirstLine extends PageFacts {
  /** Length of the data, in bytes. */
  readonly data: number
}

const NEWLINE = 10

/** `start` is the number of bytes before the HTML. */
export function formatPageObject(
  facts: PageFacts,
  data: string,
  html: string,
): { readonly bytes: Uint8Array; readonly start: number } {
  const encoder = new TextEncoder()
  const [text, page] = [encoder.encode(data), encoder.encode(html)]
  const line: FirstLine = { ...facts, data: text.length }
  const bytes = joinBytes([encoder.encode(`${JSON.stringify(line)}\n`), text, page])
  return { bytes, start: bytes.length - page.length }
}

export function formatTombstone({ version }: Pick<Tombstone, 'version'>): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ version })}\n`)
}

/** Throws if the first line is not that of an object. */
export function parsePageObject(bytes: Uint8Array): PageObject {
  const end = bytes.indexOf(NEWLINE)
  const line = parseLine(decode(bytes.subarray(0, Math.max(end, 0))))
  if (line === null) throw new Error('the stored bytes are not a page object: their first line is unreadable')
  if (!isPageLine(line)) return { kind: 'gone', version: line.version }
  const { data: length, ...facts } = line
  const start = end + 1
  const readDataText = (): string => decode(bytes.subarray(start, start + length))
  return {
    ...facts,
    kind: 'page',
    html: bytes.subarray(start + length),
    readDataText,
    readData: () => JSON.parse(readDataText()) as SellerData,
  }
}

type ObjectLine = FirstLine | Pick<Tombstone, 'version'>

function parseLine(text: string): ObjectLine | null {
  const line = parseJson(text)
  return isRecord(line) && typeof line['version'] === 'number' ? (line as unknown as ObjectLine) : null
}

function isPageLine(line: ObjectLine): line is FirstLine {
  return 'code' in line
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
