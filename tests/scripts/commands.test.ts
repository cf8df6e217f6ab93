/** The npm scripts: few, and named like the commands of the program. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMMANDS } from '../../scripts/commands.mjs'
import { ROOT } from '../../src/builder/state/project-folder.ts'

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}

it('has at most 26 npm scripts, and one hook', () => {
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(26)
  // The script `preview` is no hook.
  const before = Object.keys(scripts).filter((name) => name.startsWith('pre') && name.slice(3) in scripts)
  expect(before).toEqual(['pretest'])
})

it('gives each npm script the name of its command', () => {
  const called = Object.entries(scripts).flatMap(([name, line]) => {
    const command = /vitrina\.mjs (\S+)/.exec(line)?.[1]
    return command === undefined || name === 'pretest' ? [] : [{ name, command, line }]
  })
  expect(called.length).toBeGreaterThan(10)
  for (const { name, command, line } of called) {
    expect(command).toBe(name)
    expect(COMMANDS).toHaveProperty([command])
    expect(line).toBe(`node scripts/vitrina.mjs ${command}`)
  }
})
