/** `photos` that is interrupted. */
import { expect, it } from 'vitest'
import type { Terminal } from '../../../src/builder/commands/command.ts'
import { EXIT } from '../../../src/builder/commands/exit-codes.ts'
import { command } from '../../../src/builder/commands/photos.ts'
import { parseCommand } from '../../../src/builder/commands/program.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { rebuildHere } from '../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

it('does not count as done, and says what is left', async () => {
  writeFolder(path('data'), [user('ana'), product('uno', 'ana', { photo: 'https://photos.example/uno.jpg' })])
  await rebuildHere({ source: path('data'), output: path('dist'), state: path('state') })
  const environment = { PHOTO_HOSTS: 'photos.example' }
  const options = parseCommand({ definition: command }, ['--state', path('state')], environment)
  if (options === null) throw new Error('the help was printed')
  const lines: string[] = []
  const terminal: Terminal = {
    print: (line) => void lines.push(line),
    warn: () => {},
    report: () => {},
    progress: { update: () => {}, done: () => {}, fail: () => {} },
    listenForEnd: () => AbortSignal.abort(),
  }
  expect(await command.run(options, terminal)).toMatchObject({ exit: EXIT.unfinished })
  expect(lines.at(-1)).toContain('Interrupted: run npm run photos again')
})
