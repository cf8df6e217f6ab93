/** A second site: its settings and folders. */
import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSettings, readFolders } from '../../../src/builder/commands/stage.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

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

function load(stage?: string, set: Record<string, string> = {}): Record<string, string | undefined> {
  const environment = { ...set }
  loadSettings(stage, environment)
  return environment
}

describe('the settings', () => {
  it('come from .env, unless they are set already', () => {
    expect(load(undefined, { PHOTOS: '' })).toEqual({
      PHOTOS: '',
      SITE_URL: 'https://vitrina.do',
      REBUILD_SECRET: 'real',
      SITE_NAME: 'Vitrina',
    })
  })

  it.each([
    ['staging', {}],
    [undefined, { VITRINA_ENV: 'staging' }],
  ])(
    'of a stage come from its own file first, and never have the address and the secrets of .env (--env %j)',
    (stage, set) => {
      expect(load(stage, set)).toEqual({
        VITRINA_ENV: 'staging',
        SITE_URL: 'https://prueba.vitrina.do',
        SITE_NAME: 'Prueba',
        PHOTOS: 'off',
      })
    },
  )

  it.each([
    ['a byte-order mark', Buffer.from('\uFEFFSITE_NAME=Muestra\n')],
    ['Windows line ends', Buffer.from('SITE_NAME=Muestra\r\nPHOTOS=off\r\n')],
  ])('are read from a file with %s', (_, bytes) => {
    writeFileSync(path('.env'), bytes)
    expect(load()).toMatchObject({ SITE_NAME: 'Muestra' })
  })

  it.each(['.env', '.env.staging'])('are refused if %s names the stage', (file) => {
    writeFileSync(path(file), 'VITRINA_ENV=staging\n')
    expect(() => load(file === '.env' ? undefined : 'staging')).toThrow(
      new UsageError(
        `${file} sets VITRINA_ENV: remove it, and use --env or set VITRINA_ENV in the shell or service`,
      ),
    )
  })

  it.each([
    ['SITE_NMAE', 'SITE_NAME'],
    ['PHOTO', 'PHOTOS'],
    ['site_url', 'SITE_URL'],
    ['REBUILD_SECRETS', 'REBUILD_SECRET'],
  ])('are refused with the misspelt name %s, and the right one is named', (name, right) => {
    writeFileSync(path('.env.staging'), `SITE_URL=https://prueba.vitrina.do\n${name}=x\n`)
    expect(() => load('staging')).toThrow(
      new UsageError(`.env.staging sets ${name}, which is not a setting: write ${right}`),
    )
  })

  it('may be used beside those of other programs', () => {
    writeFileSync(path('.env'), 'CLOUDFLARE_API_TOKEN=x\nEDITOR=vi\n')
    expect(load()).toEqual({ CLOUDFLARE_API_TOKEN: 'x', EDITOR: 'vi' })
  })

  it('of a stage need its file', () => {
    expect(() => load('prod', { SITE_URL: 'https://x.example' })).toThrow(
      new UsageError('There is no file .env.prod with the settings of prod: write it, or correct the name'),
    )
  })

  it('refuse a name that is none', () => {
    expect(() => load('../x')).toThrow('is not the name of a site')
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
