/** A compile fails if it reads a file of the project whose changes would start no compile. */
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { checkInputs } from '../../../src/builder/renderer/input-check.ts'
import { useTemporaryFolder, writeTree } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

function write(file: string, code: string): string {
  writeTree(path(), { [file]: code })
  return path(file)
}

async function compile(entry: string): Promise<unknown> {
  const plugins = [checkInputs(pathToFileURL(`${path()}/`))]
  return build({
    root: path(),
    configFile: false,
    logLevel: 'silent',
    plugins,
    build: { write: false, lib: { entry, formats: ['es'] } },
  })
}

it('names the file', async () => {
  const page = (imported: string): string => `import { x } from '${imported}'\nconsole.log(x)\n`
  write('src/builder/format.ts', 'export const x = 1\n')
  write('src/domain/price.ts', 'export const x = 2\n')
  write('node_modules/other/index.js', 'export const x = 3\n')
  for (const allowed of ['../domain/price.ts', 'other'])
    expect(await compile(write('src/site/sound.ts', page(allowed)))).toBeDefined()
  await expect(compile(write('src/site/strange.ts', page('../builder/format.ts')))).rejects.toThrow(
    /src\/builder\/format\.ts: add it to COMPILE_INPUTS/,
  )
})
