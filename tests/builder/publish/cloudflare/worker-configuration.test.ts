/** A `wrangler.jsonc` that was edited by hand. */
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  readConfiguration,
  readWorkerConfiguration,
} from '../../../../src/builder/publish/cloudflare/worker-configuration.ts'
import { ROOT } from '../../../../src/builder/files/project-folder.ts'
import { UsageError } from '../../../../src/builder/files/usage-error.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

it('is read with comments, and with commas after the last items', () => {
  const routes = '"routes": [{ "pattern": "vitrina.do", "custom_domain": true, }, /* one */ "old.do/*"],'
  const lines = [
    '// The Worker',
    '{',
    '// a comment',
    '"name": "shop", /* another */',
    '"main": "a//b", "env": {',
    `"own": { ${routes} }`,
    '}, ',
    '}',
  ]
  writeFileSync(path('wrangler.jsonc'), lines.join('\n'))
  expect(readWorkerConfiguration(path(), null)).toEqual({
    name: 'shop',
    account: null,
    observability: null,
    domains: [],
  })
  const { domains } = readWorkerConfiguration(path(), 'own')
  expect(domains.map(({ hostname }) => hostname)).toEqual(['vitrina.do'])
  expect(readWorkerConfiguration(path(), 'staging').name).toBe('shop-staging')
})

it.each([
  ['{\n  "name": "vitrina"\n  "main": "worker.ts"\n}', /^wrangler\.jsonc .*line 3/],
  ['{ "nam": "vitrina" }', /^wrangler\.jsonc .*name/],
  ['{ "name": "vitrina", "routes": "vitrina.do" }', /^wrangler\.jsonc .*routes/],
])('is named in the message if it is wrong (%s)', (text, message) => {
  writeFileSync(path('wrangler.jsonc'), text)
  const read = (): unknown => readWorkerConfiguration(path(), null)
  expect(read).toThrow(UsageError)
  expect(read).toThrow(message)
})

it("keeps the project's address at workers.dev when the Worker gets a domain", () => {
  expect(readConfiguration(ROOT)).toMatchObject({ workers_dev: true })
})

describe('the configuration of an environment', () => {
  it('has the observability of the top level unless it has its own', () => {
    const env = { own: { observability: { enabled: false } }, staging: {} }
    writeFileSync(
      path('wrangler.jsonc'),
      JSON.stringify({ name: 'shop', observability: { enabled: true }, env }),
    )
    const read = (stage: string | null) =>
      readWorkerConfiguration(path('.'), stage).observability?.['enabled']
    expect([null, 'staging', 'own'].map(read)).toEqual([true, true, false])
  })
})
