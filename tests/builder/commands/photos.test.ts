/** `photos` that is interrupted. */
import { expect, it } from 'vitest'
import { EXIT } from '../../../src/builder/commands/exit-codes.ts'
import { command } from '../../../src/builder/commands/photos.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { parseHere, rebuildHere } from '../../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import { createTestTerminal } from '../../support/run/test-terminal.ts'

const path = useTemporaryFolder()

it('an interrupted run over photos does not count as done, and says what is left', async () => {
  writeFolder(path('data'), [user('ana'), product('uno', 'ana', { photo: 'https://photos.example/uno.jpg' })])
  await rebuildHere({ source: path('data'), output: path('dist'), state: path('state') })
  const environment = { PHOTO_HOSTS: 'photos.example' }
  const options = parseHere(command, ['--out', path('dist'), '--state', path('state')], environment)
  const lines: string[] = []
  const terminal = createTestTerminal({ onPrint: (line) => void lines.push(line), end: AbortSignal.abort() })
  expect(await command.run(options, terminal)).toMatchObject({ exit: EXIT.unfinished })
  expect(lines.at(-1)).toContain('Interrupted: run npm run photos again')
})
