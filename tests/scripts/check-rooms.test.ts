/** The check of the arrows between rooms, on small trees with one wrong import each. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../support/rebuild.ts'
import { useTemporaryFolder } from '../support/temporary.ts'

const path = useTemporaryFolder()

function check(files: Readonly<Record<string, string>>): { status: number | null; stderr: string } {
  for (const [name, code] of Object.entries(files)) {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), code)
  }
  return spawnSync(process.execPath, ['scripts/check-rooms.ts', path()], { cwd: ROOT, encoding: 'utf8' })
}

describe('the check of the rooms', () => {
  it('passes on this project', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/check-rooms.ts'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
  })

  it('fails when a file of the domain imports a module of Node', () => {
    const { status, stderr } = check({ 'src/domain/price.ts': "import { readFileSync } from 'node:fs'\n" })
    expect(status).toBe(1)
    expect(stderr).toContain('src/domain/price.ts: imports node:fs')
  })

  it.each([
    ['a static import', 'src/domain/a.ts', "import { b } from '../rebuild/b.ts'"],
    ['a dynamic import', 'src/domain/a.ts', "const b = await import('../rebuild/b.ts')"],
    ['a re-export', 'src/domain/a.ts', "export { b } from '../rebuild/b.ts'"],
    [
      'the code of an Astro file',
      'src/pages/a.astro',
      "---\nimport { b } from '../rebuild/b.ts'\n---\n<p>a</p>",
    ],
    ['a value where only types may be known', 'src/rebuild/a.ts', "import { b } from '../snapshot/b.ts'"],
  ])('fails on %s against the arrows', (_, file, code) => {
    expect(check({ [file]: code }).status).toBe(1)
  })

  it('lets a room know the types of another', () => {
    const { status } = check({ 'src/rebuild/a.ts': "import type { B } from '../snapshot/b.ts'\n" })
    expect(status).toBe(0)
  })
})
