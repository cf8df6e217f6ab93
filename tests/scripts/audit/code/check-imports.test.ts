/** The check of wings and rooms, on small trees with one wrong import each. */
import { describe, expect, it } from 'vitest'
import { checkImports, command } from '../../../../scripts/audit/code/check-imports.ts'
import { runHere } from '../../../support/rebuild/run-here.ts'
import { useTemporaryFolder, writeTree } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

/** Imported files must exist. */
function checkFiles(files: Readonly<Record<string, string>>): readonly string[] {
  writeTree(path(), files)
  return checkImports(path())
}

describe('the check of wings and rooms', () => {
  it('exits with 1 and prints a line for each wrong import, such as one of a missing file', async () => {
    checkFiles({ 'src/edge/api/a.ts': "import './gone.ts'\n" })
    const { code, stderr } = await runHere({ name: 'check:imports', definition: command }, [path()])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^src\/edge\/api\/a.ts: imports .\/gone.ts, which is not there\nProblems found: 1/)
  })

  it.each([
    ['a module of Node in the domain', 'src/domain/wire/a.ts', "import { readFileSync } from 'node:fs'"],
    ['a module of Node in the Worker', 'src/edge/api/a.ts', "import 'node:crypto'"],
    ['a static import', 'src/domain/pages/a.ts', "import { b } from '../../builder/state/b.ts'"],
    ['a dynamic import', 'src/domain/pages/a.ts', "const b = await import('../../builder/state/b.ts')"],
    ['a re-export', 'src/domain/pages/a.ts', "export { b } from '../../builder/state/b.ts'"],
    ['a type', 'src/domain/pages/a.ts', "import type { B } from '../../builder/state/b.ts'"],
    ['an import type', 'src/domain/pages/a.ts', "export type B = import('../../builder/state/b.ts').B"],
    [
      'the code of an Astro file',
      'src/site/pages/a.astro',
      "---\nimport { b } from '../../builder/state/b.ts'\n---\n<p>a</p>",
    ],
    ['the room above', 'src/builder/sources/a.ts', "import { b } from '../state/b.ts'"],
    ['the workshop from src', 'src/builder/commands/a.ts', "import '../../../scripts/bench/b.ts'"],
    ['the builder from functions', 'functions/a.ts', "import '../src/builder/state/b.ts'"],
    [
      'the domain from the trigger',
      'functions/firestore-trigger/src/a.ts',
      "import '../../../src/domain/wire/b.ts'",
    ],
    ['tests from the workshop', 'scripts/prove/a.ts', "import '../../tests/support/b.ts'"],
    ['one room of the workshop from another', 'scripts/audit/a.ts', "import '../bench/b.ts'"],
    ['a folder that no room holds', 'tests/support/a.ts', "import '../../elsewhere/b.ts'"],
  ])('goes red on %s', (_, file, code) => {
    const others = [
      'src/builder/state/b.ts',
      'src/domain/wire/b.ts',
      'scripts/bench/b.ts',
      'tests/support/b.ts',
      'elsewhere/b.ts',
    ]
    const wrong = checkFiles({
      ...Object.fromEntries(others.map((name) => [name, 'export const b = 1\n'])),
      [file]: `${code}\n`,
    })
    expect(wrong).toEqual([expect.stringContaining(`${file}: imports `)])
  })

  it('accepts imports of permitted rooms, and all imports of tests', () => {
    const wrong = checkFiles({
      'src/builder/sources/b.ts': 'export const b = 1\n',
      'src/builder/state/a.ts': "import { b } from '../sources/b.ts'\nexport const a = b\n",
      'tests/builder/a.test.ts': "import '../../src/builder/state/a.ts'\n",
    })
    expect(wrong).toEqual([])
  })

  it('reports a file outside of all rooms', () => {
    const wrong = checkFiles({ 'src/domain/helpers/a.ts': 'export const a = 1\n' })
    expect(wrong).toEqual([
      'src/domain/helpers/a.ts: belongs to no room of src/domain: move it, or add a room to docs/design.md',
    ])
  })

  it('reports a circle, also of type imports', () => {
    const wrong = checkFiles({
      'src/edge/api/a.ts': "import { b } from './b.ts'\nexport const a = b\n",
      'src/edge/api/b.ts': "import type { C } from './c.ts'\nexport const b: C = 1\n",
      'src/edge/api/c.ts': "import type { a } from './a.ts'\nexport type C = typeof a\n",
    })
    expect(wrong).toEqual([
      'a circle: src/edge/api/a.ts -> src/edge/api/b.ts -> src/edge/api/c.ts -> src/edge/api/a.ts',
    ])
  })
})
