import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  BrokenReferenceError,
  checkReferences,
} from '../../../../src/builder/rebuild/check/check-references.ts'
import { createFileReader } from '../../../../src/builder/rebuild/check/file-reader.ts'
import type { Output } from '../../../../src/builder/state/output/output.ts'
import { createOutput } from '../../../../src/builder/state/output/output.ts'
import type { SiteRecord } from '../../../../src/builder/state/record/record.ts'
import { openRecord } from '../../../../src/builder/state/record/open-record.ts'
import { writeRecorded } from '../../../support/rebuild/recorded.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'

const path = useTemporaryFolder()
let record: SiteRecord
let output: Output

beforeEach(() => {
  record = openRecord(path('record.sqlite'))
  output = createOutput(path('dist'))
})
afterEach(() => record.close())

const check = (): Promise<number> =>
  checkReferences({ record, snapshot: openSnapshot(':memory:') }, createFileReader(output))

const SITE = {
  'index.html': '<a href="/catalogo/perfumer%C3%ADa">x</a><a href="/">x</a><img src="/x.svg">',
  'catalogo/perfumería.html': '<astro-island component-url="/_astro/a.js"></astro-island><a href="/">x</a>',
  '_astro/a.js': 'import"./b.js"',
  '_astro/b.js': 'export const a=()=>import("./a.js")',
  'x.svg': '<image href="/nothing.png">',
}

test('a site without broken references passes, and its references are counted', async () => {
  writeRecorded(output, record, SITE)
  await expect(check()).resolves.toBe(7)
})

test('a missing page, picture or chunk is named with the file that refers to it', async () => {
  for (const [lost, message] of [
    ['catalogo/perfumería.html', 'index.html refers to /catalogo/perfumería'],
    ['x.svg', 'index.html refers to /x.svg'],
    ['_astro/a.js', 'catalogo/perfumería.html refers to /_astro/a.js'],
    ['_astro/b.js', '_astro/a.js refers to /_astro/b.js'],
  ] as const) {
    writeRecorded(output, record, SITE)
    record.write([], [lost])
    await expect(check()).rejects.toThrow(BrokenReferenceError)
    await expect(check()).rejects.toThrow(message)
  }
})

test('many broken references are named in part and counted', async () => {
  const links = Array.from({ length: 12 }, (_, index) => `<a href="/lost/${index}">x</a>`)
  writeRecorded(output, record, { 'index.html': links.join('') })
  await expect(check()).rejects.toThrow(/lost\/0;.*lost\/4 and 7 more\. Correct them before you publish/)
})
