/** The parts of docs/operate.md that the rehearsal types: a change of their form must not go unnoticed until it runs. */
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../scripts/commands.mjs'
import { createPath } from '../../../scripts/rehearse/documented-path.ts'
import { createObjectsPath } from '../../../scripts/rehearse/objects-path.ts'
import {
  readBeforeQueue,
  readCommands,
  readMove,
  readObjectSteps,
  readQueueSteps,
  readSteps,
  TEN_STEPS_HEADING,
} from '../../../scripts/rehearse/read-operate.ts'
import { SETTING_DEFAULTS } from '../../../src/builder/commands/settings.ts'

const steps = readSteps(TEN_STEPS_HEADING)
const objectSteps = readObjectSteps()
const moves = [null, 'To objects', 'Back to files'].map(readMove)

describe('the ten steps of the docs', () => {
  it('are numbered, and most have commands to type', () => {
    expect(steps.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(createPath(steps)).toHaveLength(10)
    expect(createObjectsPath()).toHaveLength(10)
    expect(steps.filter(({ commands }) => commands.length > 0).map(({ number }) => number)).toEqual([
      2, 4, 5, 6, 8, 10,
    ])
  })

  it('are commands that exist', () => {
    const taken = [...steps, ...objectSteps, ...readQueueSteps()].flatMap((step) => step.commands)
    const commands = [...taken, ...moves.flat(), ...readBeforeQueue(), ...readCommands('Staging')]
    const known = commands.filter((line) => {
      const [, name = ''] = /^npm run ([\w:-]+)/.exec(line) ?? []
      return (
        name in COMMANDS ||
        /^(node -e|npx wrangler secret put [A-Z_]+( --env staging| < key\.json)?$)/.test(line)
      )
    })
    expect(commands.length).toBeGreaterThan(10)
    expect(known).toEqual(commands)
  })

  it('to a site of objects include those of the other page', () => {
    expect(objectSteps.map(({ commands }) => commands.length)).toEqual([0, 1, 0, 1, 3, 0, 0, 2, 0, 2])
    expect(objectSteps[2]?.settings).toEqual(expect.arrayContaining(['SITE_URL', 'HOSTING=objects']))
    expect(readBeforeQueue()).toHaveLength(1)
    expect(readQueueSteps().map(({ commands }) => commands.length)).toEqual([0, 0, 0, 2, 0, 0])
    expect(moves.map((commands) => commands.length)).toEqual([1, 2, 2])
  })

  it('set what a publishing machine needs', () => {
    const [, , settings] = steps
    const names = settings?.settings.map((setting) => setting.split('=')[0] ?? '') ?? []
    expect(names).toEqual(expect.arrayContaining(['SITE_URL', 'REBUILD_SECRET', 'CLOUDFLARE_API_TOKEN']))
    const others = ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID']
    expect(names.filter((name) => !(name in SETTING_DEFAULTS) && !others.includes(name))).toEqual([])
  })
})
