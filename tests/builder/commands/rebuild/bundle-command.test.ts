/** Bundles the command of a copied project, whose sources change meanwhile. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { copyProject } from '../../../../scripts/measure/copy-project.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

/** Bundles in a process of its own, which appends a line to a source as soon as the bundler starts. */
function bundle(source: string | null): string {
  const module = pathToFileURL(path('project/src/builder/commands/rebuild/bundle-command.ts')).href
  const program = `import { appendFileSync, existsSync } from 'node:fs'
    import { setImmediate } from 'node:timers/promises'
    import { bundleCommand } from '${module}'
    const source = ${JSON.stringify(source)}
    const bundling = bundleCommand().catch((error) => error.message)
    while (source && !existsSync('.vitrina/commands/partial-' + process.pid)) await setImmediate()
    if (source) appendFileSync(source, "\\nObject.assign(globalThis, { another: 'effect' })\\n")
    console.log(await bundling)`
  const args = ['--input-type=module', '--eval', program]
  return execFileSync(process.execPath, args, { cwd: path('project'), encoding: 'utf8' }).trim()
}

it('a bundle is not kept if one of its sources was saved meanwhile, because it may hold older code', () => {
  copyProject(path('project'))
  expect(bundle('src/domain/documents/parse-document.ts')).toBe('a source file was saved meanwhile')
  expect(existsSync(path('project/.vitrina/commands/current.json'))).toBe(false)
  expect(existsSync(path('project/.vitrina/commands', bundle(null), 'rebuild.mjs'))).toBe(true)
  expect(existsSync(path('project/.vitrina/commands/current.json'))).toBe(true)
})
