/** The hashes of code that shapes pages and is not compiled. code-change.test.ts tests compiled code. */
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { hashCode, readCodeHashes } from '../../../../src/builder/commands/rebuild/code-hashes.ts'
import type { CodeHashes } from '../../../../src/builder/rebuild/world.ts'
import { findRenderer } from '../../../../src/builder/renderer/compile.ts'
import { readInputManifest } from '../../../../src/builder/renderer/fingerprint.ts'
import { hashManifest } from '../../../../src/builder/state/manifest.ts'
import { ROOT, STORE } from '../../../../src/builder/state/project-folder.ts'
import { product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import { copyProject } from '../../../../scripts/measure/copy-project.ts'
import { runRebuild } from '../../../support/rebuild/rebuild.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

/** Returns the hashes of a project's code, computed by a process in this folder after `prelude`. */
function hashIn(project: string, cwd: string, prelude = ''): CodeHashes {
  const module = pathToFileURL(join(project, 'src/builder/commands/rebuild/code-hashes.ts')).href
  const print = `import { readCodeHashes } from '${module}'
    ${prelude}
    console.log(JSON.stringify(await readCodeHashes()))`
  const args = ['--input-type=module', '--eval', print]
  return JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })) as CodeHashes
}

async function traceFiles(): Promise<readonly string[]> {
  writeFolder(path('source'), [
    user('ana'),
    product('uno', 'ana'),
    product('dos', 'ana', { photo: '/lost.svg' }),
  ])
  await runRebuild({ source: path('source'), output: path('dist'), state: path('state') })
  const kept = findRenderer(STORE, hashManifest(readInputManifest(ROOT)))
  const args = ['tests/support/rebuild/trace-page-code.ts', path('state'), kept?.server ?? '']
  const env = { ...process.env, NODE_ENV: 'production' }
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env }))
}

it('all code that runs while page data is read and rendered is part of a hash', async () => {
  const { files } = await hashCode()
  const hashed = files.map((file) => relative(ROOT, file))
  const traced = await traceFiles()
  expect(traced).toContain('src/domain/photos/lost-photos.ts')
  expect(traced).toContain('src/builder/state/snapshot/snapshot-reads.ts')
  expect(traced).toContain('src/builder/renderer/fast/render-screen.ts')
  expect(traced.filter((file) => !hashed.includes(file))).toEqual([])
})

it('the hashes are reproducible and differ from each other', async () => {
  const { hashes } = await hashCode()
  expect((await hashCode()).hashes).toEqual(hashes)
  expect(new Set(Object.values(hashes)).size).toBe(3)
})

it('the hashes are the same in another working directory', async () => {
  expect(hashIn(ROOT, path('.'))).toEqual(await readCodeHashes())
})

it('the hash of the intake in a bundle is another one in another Node', () => {
  const bundled = { intake: 'a', pageData: 'b', rendering: 'c' }
  const hashWith = (node: string): CodeHashes =>
    hashIn(
      ROOT,
      ROOT,
      `globalThis.BUNDLED_CODE_HASHES = ${JSON.stringify(bundled)}
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`,
    )
  const [one, other] = [hashWith('24.10.0'), hashWith('24.11.0')]
  expect(other).toEqual({ ...bundled, intake: other.intake })
  expect(other.intake).not.toBe(one.intake)
})

it('each hash is another one for other code', async () => {
  const hashes = await readCodeHashes()
  const copy = copyProject(path('project'))
  for (const file of [
    'src/domain/documents/parse-document.ts',
    'src/domain/photos/lost-photos.ts',
    'src/builder/renderer/fast/render-screen.ts',
  ])
    appendFileSync(join(copy, file), "\nObject.assign(globalThis, { another: 'effect' })\n")
  const others = hashIn(copy, copy)
  for (const name of ['intake', 'pageData', 'rendering'] as const)
    expect(others[name], name).not.toBe(hashes[name])
})
