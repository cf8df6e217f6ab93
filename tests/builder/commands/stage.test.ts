/** A second site: its settings, folders and Worker. */
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSettings, readFolders, readStage } from '../../../src/builder/commands/stage.ts'
import { readWorkerConfiguration } from '../../../src/builder/publish/worker-configuration.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'

const path = useTemporaryFolder()
const before = process.cwd()
beforeEach(() => {
  writeFileSync(
    path('.env'),
    'SITE_URL=https://vitrina.do\nREBUILD_SECRET=real\nSITE_NAME=Vitrina\nPHOTOS=off\n',
  )
  writeFileSync(path('.env.staging'), 'SITE_URL=https://prueba.vitrina.do\nSITE_NAME=Prueba\n')
  process.chdir(path('.'))
})
afterEach(() => process.chdir(before))

function load(args: readonly string[], set: Record<string, string> = {}): Record<string, string | undefined> {
  const environment = { ...set }
  loadSettings(args, environment)
  return environment
}

describe('the settings', () => {
  it('come from .env, unless they are set already', () => {
    expect(load([], { PHOTOS: '' })).toEqual({
      PHOTOS: '',
      SITE_URL: 'https://vitrina.do',
      REBUILD_SECRET: 'real',
      SITE_NAME: 'Vitrina',
    })
  })

  it.each([
    [['--env', 'staging'], {}],
    [['--env=staging'], {}],
    [[], { VITRINA_ENV: 'staging' }],
  ])(
    'of a stage come from its own file first, and never have the address and the secrets of .env (%j)',
    (args, set) => {
      expect(load(args, set)).toEqual({
        VITRINA_ENV: 'staging',
        SITE_URL: 'https://prueba.vitrina.do',
        SITE_NAME: 'Prueba',
        PHOTOS: 'off',
      })
    },
  )

  it('refuse a name that is none', () => {
    expect(() => load(['--env', '../x'])).toThrow('is not the name of an environment')
  })
})

describe('the folders', () => {
  it('are those of the stage, unless they are named', () => {
    const staging = { VITRINA_ENV: 'staging' }
    expect(readFolders({ flags: {}, environment: {} })).toEqual({ output: 'dist', state: '.vitrina' })
    expect(readFolders({ flags: { out: 'site' }, environment: staging })).toEqual({
      output: 'site',
      state: '.vitrina-staging',
    })
  })
})

describe('the Worker', () => {
  it('of staging is another one than that of production', () => {
    const [stage, production] = [readStage({ VITRINA_ENV: 'staging' }), readStage({ VITRINA_ENV: '' })]
    const names = [stage, production].map((one) => readWorkerConfiguration(ROOT, one).name)
    expect(names).toEqual(['vitrina-staging', 'vitrina'])
  })
})
