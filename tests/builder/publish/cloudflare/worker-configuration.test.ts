/** A `wrangler.jsonc` that was edited by hand. */
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readWorkerConfiguration } from '../../../../src/builder/publish/cloudflare/worker-configuration.ts'
import { UsageError } from '../../../../src/builder/state/usage-error.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

it('is read with comments, and with commas after the last items', () => {
  const routes = '"routes": [{ "pattern": "vitrina.do", "custom_domain": true, }, /* one */ "old.do/*"],'
  writeFileSync(path('wrangler.jsonc'), `// The Worker\n{ "name": "shop", ${routes} }`)
  const { name, domains } = readWorkerConfiguration(path(), null)
  expect([name, domains.map(({ hostname }) => hostname)]).toEqual(['shop', ['vitrina.do']])
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
