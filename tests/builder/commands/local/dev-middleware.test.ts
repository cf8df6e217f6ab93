/** The development server's middleware in a copied project, in a new process for each start of the server. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { copyProject } from '../../../support/run/copy-project.ts'
import { importFolder } from '../../../../src/builder/sources/embedded/interchange.ts'
import { product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

/** Returns the name of a seller as the page of a new server shows it. `before` is run first. */
function readName(seller: string, before = ''): string {
  const module = pathToFileURL(path('project/src/builder/commands/local/dev-middleware.ts')).href
  const program = `import { onRequest } from '${module}'
    const locals = {}
    const url = new URL('http://localhost/catalogo/${seller}')
    ${before}
    await onRequest({ url, locals }, () => new Response(''))
    console.log(locals.page.catalogue.name)`
  const env = { ...process.env, CATALOGUE_SOURCE: path('shop.sqlite') }
  const args = ['--input-type=module', '--eval', program]
  return execFileSync(process.execPath, args, { cwd: path('project'), env, encoding: 'utf8' }).trim()
}

it('npm run dev reads documents again that earlier code parsed', async () => {
  copyProject(path('project'))
  const documents = writeFolder(path('source'), [user('ana'), product('uno', 'ana')])
  await importFolder(documents, path('shop.sqlite'), {})
  expect(readName('ana')).toBe('Ana Pérez')
  const file = path('project/src/domain/documents/parse-document.ts')
  const code = readFileSync(file, 'utf8')
  const changed = code.replace(
    'parseProfile(data, complain) }',
    "{ ...parseProfile(data, complain), fName: 'Eva' } }",
  )
  expect(changed).not.toBe(code)
  writeFileSync(file, changed)
  expect(readName('ana')).toBe('Eva Pérez')
})

it('npm run dev tries again at the next request if it could not start', async () => {
  copyProject(path('project'))
  const documents = writeFolder(path('source'), [user('ana'), product('uno', 'ana')])
  await importFolder(documents, path('shop.sqlite'), {})
  const before = `import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
    mkdirSync('.vitrina', { recursive: true })
    writeFileSync('.vitrina/dev', 'a file in the place of the folder')
    const failed = await onRequest({ url, locals }, () => new Response('')).catch(() => 'failed')
    rmSync('.vitrina/dev')
    if (failed !== 'failed') throw new Error('it has started')`
  expect(readName('ana', before)).toBe('Ana Pérez')
})
