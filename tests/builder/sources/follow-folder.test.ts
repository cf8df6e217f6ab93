/** Following a folder that another one replaces: the system then reports no further changes of the old one. */
import { renameSync, rmSync, symlinkSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { followEmbedded } from '../../../src/builder/sources/embedded/follow-embedded.ts'
import { followFolder } from '../../../src/builder/sources/folder/follow-folder.ts'
import { user, writeFolder } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

let end = new AbortController()

afterEach(() => end.abort())

/** Follows `path('data')`. `next` resolves once a change was reported since the last call. */
function follow() {
  end = new AbortController()
  const onChange = vi.fn<() => void>()
  const onTrouble = vi.fn<(message: string) => void>()
  followFolder(path('data'), { onChange, onTrouble, signal: end.signal })
  const next = async (): Promise<void> => {
    await expect.poll(() => onChange).toHaveBeenCalled()
    onChange.mockClear()
  }
  return { next, onTrouble }
}

const edit = (name: string): void => void writeFolder(path('data'), [user('ana', name)])

const REPLACED: readonly (readonly [string, () => void])[] = [
  [
    'renamed',
    () => {
      renameSync(path('data'), path('old'))
      renameSync(path('other'), path('data'))
    },
  ],
  [
    'removed and made anew',
    () => {
      rmSync(path('data'), { recursive: true })
      edit('Otra')
    },
  ],
]

it.each(REPLACED)('follows the folder that takes the place of one that was %s', async (_, replace) => {
  edit('Ana')
  writeFolder(path('other'), [user('ana', 'Otra')])
  const { next, onTrouble } = follow()
  replace()
  await next()
  for (const name of ['Tercera', 'Cuarta']) {
    edit(name)
    await next()
  }
  expect(onTrouble).not.toHaveBeenCalled()
})

it('reports that a link to the folder leads to another one, and follows that one', async () => {
  writeFolder(path('one'), [user('ana')])
  writeFolder(path('two'), [user('ana', 'Otra')])
  symlinkSync(path('one'), path('data'))
  const { next, onTrouble } = follow()
  symlinkSync(path('two'), path('next'))
  renameSync(path('next'), path('data'))
  await next()
  writeFolder(path('two'), [user('ana', 'Tercera')])
  await next()
  expect(onTrouble).not.toHaveBeenCalled()
})

it('says once that the folder is missing, and reports when it is back', async () => {
  edit('Ana')
  const { next, onTrouble } = follow()
  renameSync(path('data'), path('away'))
  await expect.poll(() => onTrouble).toHaveBeenCalledTimes(1)
  await next()
  renameSync(path('away'), path('data'))
  await next()
  edit('Otra')
  await next()
  expect(onTrouble).toHaveBeenCalledTimes(1)
})

it.each([
  ['a folder', followFolder],
  ['a database', followEmbedded],
])('does not follow %s after the end of the watch, which would keep the process alive', (_, start) => {
  vi.useFakeTimers()
  try {
    start(path('data'), { onChange: () => {}, onTrouble: () => {}, signal: AbortSignal.abort() })
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
