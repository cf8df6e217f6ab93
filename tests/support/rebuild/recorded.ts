/** A generation, and files that a rebuild has written and recorded. */
import { hashBytes } from '../../../src/builder/files/file-hashes.ts'
import type { Output } from '../../../src/builder/state/output/output.ts'
import type { Generation, SiteRecord } from '../../../src/builder/state/record/record.ts'

export const CODE: Generation['code'] = {
  home: 'h',
  catalogue: 'c',
  product: 'p',
  'unknown-product': 'p',
  poster: 'k',
  'unknown-catalogue': 'u',
  'not-found': 'n',
  search: 's',
}
export const GENERATION: Generation = { code: CODE, settings: 's', runtime: 'r' }

/** Writes files, given by path, into the output folder and into the record. */
export function writeRecorded(
  output: Output,
  record: SiteRecord,
  files: Readonly<Record<string, string>>,
): void {
  for (const [path, text] of Object.entries(files)) {
    output.write(path, text)
    const row = { path, kind: 'static', seller: null, generation: 1, data: '' } as const
    record.write([{ ...row, digest: hashBytes(text) }], [])
  }
}
