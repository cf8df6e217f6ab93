/** The bundled pictures are those that `vitrina draw:sample` draws, byte for byte. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../support/rebuild.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'

const path = useTemporaryFolder()
const PUBLIC = join(ROOT, 'public')
const MARKS = ['favicon.svg', 'sin-foto.svg']

const listBundled = (): readonly string[] => [
  ...['muestra', 'portadas'].flatMap((folder) =>
    readdirSync(join(PUBLIC, folder)).map((name) => `${folder}/${name}`),
  ),
  ...MARKS,
]

const listDrawn = (): readonly string[] =>
  readdirSync(path(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path().length + 1))

it('draws exactly the bundled pictures', () => {
  const args = ['scripts/vitrina.mjs', 'draw:sample', '--out', path()]
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  expect(listDrawn().toSorted()).toEqual(listBundled().toSorted())
  const differing = listBundled().filter(
    (file) => !readFileSync(path(file)).equals(readFileSync(join(PUBLIC, file))),
  )
  expect(differing).toEqual([])
})
