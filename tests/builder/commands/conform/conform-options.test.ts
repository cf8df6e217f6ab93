/** The address of the probe. */
import { expect, it } from 'vitest'
import { command } from '../../../../src/builder/commands/conform/conform.ts'
import { parseCommand } from '../../../../src/builder/commands/program.ts'

const parse = (at: string) =>
  parseCommand({ definition: command }, ['--at', at], { CLOUDFLARE_API_TOKEN: 'token' })

it('is one that the probe gets: without https it would be waited for in vain', () => {
  expect(parse('https://conform.vitrina.do')?.at?.hostname).toBe('conform.vitrina.do')
  expect(parse('http://127.0.0.1:8787')?.at?.port).toBe('8787')
  for (const at of ['http://conform.vitrina.do', 'conform.vitrina.do', 'https://vitrina.do/path'])
    expect(() => parse(at)).toThrow('--at must be an origin such as https://conform.vitrina.do')
})
