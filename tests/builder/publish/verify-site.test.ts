/** The list of files of a site before a publish. */
import { mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import type { Verification } from '../../../src/builder/publish/verify-site.ts'
import { verifySite } from '../../../src/builder/publish/verify-site.ts'
import { createOutput } from '../../../src/builder/state/output.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const FILES = [
  'index.html',
  'catalogo/ana.html',
  'catalogo/ana/404.html',
  'catalogo/ana/one.html',
  'fotos/a.avif',
  '_headers',
  '.assetsignore',
  'estado.json',
]

beforeEach(() => {
  const output = createOutput(path('dist'))
  for (const file of FILES) output.write(file, 'text')
})

const verify = (): Verification => verifySite({ folder: path('dist'), output: createOutput(path('dist')) })

it('counts the files that Cloudflare serves, with pictures and pages that a setting switches', () => {
  const { files, pictures, switched } = verify()
  expect([files, pictures, switched.productPages]).toEqual([6, 1, 2])
  writeFileSync(path('dist/.partial/1'), '')
  expect(verify().files).toBe(6)
})

it('names the page of a seller that was written last', () => {
  utimesSync(path('dist/catalogo/ana/one.html'), 1, 1)
  expect(verify().newest).toBe('catalogo/ana.html')
  utimesSync(path('dist/catalogo/ana.html'), 0, 0)
  expect(verify().newest).toBe('catalogo/ana/one.html')
})

it('refuses a file that is larger than Cloudflare allows', () => {
  mkdirSync(path('dist/a'))
  writeFileSync(path('dist/a/film.webm'), '')
  truncateSync(path('dist/a/film.webm'), 25 * 1024 * 1024 + 1)
  expect(verify).toThrow('a/film.webm is larger than Cloudflare allows')
})
