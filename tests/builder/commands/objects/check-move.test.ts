/** The files of a site of files stay until the site is one of objects. */
import { expect, it } from 'vitest'
import { checkMove } from '../../../../src/builder/commands/objects/check-move.ts'
import { parseConfiguration } from '../../../../src/builder/commands/configuration.ts'
import { UsageError } from '../../../../src/builder/state/usage-error.ts'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'

const URL = 'https://vitrina.do'

interface Known {
  readonly sellers?: readonly string[]
  readonly delivered?: string
  readonly isCompared?: boolean
}

/** `sellers` have pages in the output folder; `delivered` is the site that objects go to, which has all unless it is to be compared. */
function check(
  { sellers = ['ana'], delivered = '', isCompared = false }: Known,
  settings: Readonly<Record<string, string>> = { HOSTING: 'objects' },
): () => void {
  const configuration = parseConfiguration({ SITE_URL: URL, ...settings })
  const options = { configuration, isDeploy: false, dryRun: 'no' } as const
  const snapshot = openSnapshot(':memory:')
  snapshot.waits.beginRun('store')
  if (delivered !== '') snapshot.waits.register('store', delivered)
  if (delivered !== '' && !isCompared) snapshot.waits.settleComparison('store')
  const state = { record: { readSellers: () => sellers }, snapshot }
  return () => checkMove(options, state)
}

it('refuses to remove the pages of a site that is not known to have objects', () => {
  expect(check({})).toThrow(UsageError)
  expect(check({})).toThrow('npm run deploy -- --setup')
  expect(check({ delivered: 'https://another.example' })).toThrow(UsageError)
  expect(check({ delivered: URL, isCompared: true })).toThrow(UsageError)
})

it('lets everything else be', () => {
  expect(check({ delivered: URL })).not.toThrow()
  expect(check({ sellers: [] })).not.toThrow()
  expect(check({}, {})).not.toThrow()
})
