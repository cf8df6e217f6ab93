/** `--` forgotten after `npm run x`: the error names the option that npm took and the correct command. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyProject } from '../../../scripts/measure/copy-project.ts'
import type { Environment } from '../../../src/builder/commands/command.ts'
import { checkForgottenDashes } from '../../../src/builder/commands/forgotten-dashes.ts'
import { useSharedFolder } from '../../support/run/temporary.ts'

function check(args: readonly string[], taken: Environment, script = 'shop'): string {
  const command = new Command('shop')
    .option('--port <number>')
    .option('--seller <id>')
    .option('--dry-run')
    .option('--no-build')
  const environment = {
    npm_lifecycle_event: script,
    npm_lifecycle_script: 'node scripts/vitrina.mjs shop',
    ...taken,
  }
  try {
    checkForgottenDashes(command, args, environment)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('forgotten dashes', () => {
  it.each<[Environment, readonly string[], string]>([
    [{ npm_config_dry_run: 'true' }, [], '--dry-run'],
    [{ npm_config_dry_run: 'true' }, ['ana'], '--dry-run ana'],
    [{ npm_config_build: '' }, [], '--no-build'],
    [{ npm_config_port: '9' }, [], '--port 9'],
    [{ npm_config_port: 'true' }, ['9'], '--port 9'],
    [{ npm_config_port: 'true' }, [], '--port'],
    [{ npm_config_seller: 'true\n\ntrue' }, ['ana', 'eva luz'], "--seller ana --seller 'eva luz'"],
    [{ npm_config_seller: 'true', npm_config_port: 'true' }, ['9', 'a'], '--port <number> --seller <id>'],
  ])('%j with %j left over are those of the line %s', (taken, args, line) => {
    expect(check(args, taken)).toMatch(/^npm took --[\w -]+ as its own option, so nothing was done\. /)
    expect(check(args, taken)).toContain(`Type: npm run shop -- ${line}`)
    expect(check(args, taken).endsWith(line)).toBe(true)
  })

  it('are not reported for options of another program, or if npm took none of ours', () => {
    const taken = { npm_config_dry_run: 'true' }
    expect(check([], { ...taken, npm_lifecycle_event: undefined })).toBe('')
    expect(check([], { ...taken, npm_lifecycle_script: 'vitest run' })).toBe('')
    expect(check([], { ...taken, npm_lifecycle_script: 'node scripts/vitrina.mjs shop:window' })).toBe('')
    expect(check(['--dry-run'], { npm_config_color: 'true' })).toBe('')
  })

  it('are reported for npm start without "run"', () => {
    expect(check([], { npm_config_port: '9' }, 'start')).toContain('Type: npm start -- --port 9')
  })
})

describe('npm itself', () => {
  const path = useSharedFolder()
  beforeAll(() => void copyProject(path()))

  it.each([
    ['npm run rebuild --dry-run', 'npm run rebuild -- --dry-run'],
    ['npm run deploy --rollback', 'npm run deploy -- --rollback'],
    ['npm start --port 9', 'npm start -- --port 9'],
  ])('running %s, does nothing and shows the right line', async (typed, right) => {
    const [program = '', ...args] = typed.split(' ')
    // Without the options of the npm that runs the tests.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
    const child = spawn(program, args, { cwd: path(), env: Object.fromEntries(own) })
    const [[code], said] = await Promise.all([once(child, 'exit'), text(child.stderr), text(child.stdout)])
    expect(code).toBe(2)
    expect(said).toContain(`so nothing was done. Type: ${right}\n`)
    for (const made of ['dist', 'vitrina.sqlite', '.vitrina/snapshot.sqlite'])
      expect(existsSync(path(made))).toBe(false)
  })
})
