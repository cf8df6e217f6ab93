/** The list of files that a site's store has, when its file is damaged. */
import { expect, it } from 'vitest'
import { openSentFiles } from '../../../../src/builder/publish/objects/sent-files.ts'
import { damageDatabase } from '../../../support/rebuild/damage-database.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()
const SITE = 'https://one.do'
const FILES = Array.from({ length: 2_000 }, (_, index) => `fotos/a-photo-with-a-long-name-${index}.webp`)

it('begins anew, so that the store is asked again, and works while it stays open', () => {
  const file = path('sent.sqlite')
  const before = openSentFiles(file, SITE)
  before.add(FILES)
  before.close()
  damageDatabase(file)
  const sent = openSentFiles(file, SITE)
  expect(FILES.filter((one) => sent.has(one))).toEqual([])
  sent.add(['fotos/new.webp'])
  sent.close()
  const after = openSentFiles(file, SITE)
  expect(['fotos/new.webp', ...FILES].filter((one) => after.has(one))).toEqual(['fotos/new.webp'])
  after.close()
})
