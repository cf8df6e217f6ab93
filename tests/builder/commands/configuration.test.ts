import { UsageError } from '../../../src/builder/files/usage-error.ts'
import { describe, expect, it } from 'vitest'
import { parseConfiguration } from '../../../src/builder/commands/configuration.ts'
import { createSite } from '../../support/site.ts'

const DEFAULTS = {
  source: 'vitrina.sqlite',
  firestore: null,
  site: createSite(),
  maxProducts: 5_000,
  keepsPages: true,
  isSearched: true,
  photos: {
    mode: 'files',
    hosts: { names: ['*.firebasestorage.app', 'firebasestorage.googleapis.com'], origins: [] },
  },
  coordinator: {
    url: 'http://localhost:8787',
    secrets: { notice: [], rebuild: [] },
  },
  hosting: 'assets',
}

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(parseConfiguration({})).toMatchObject(DEFAULTS)
  })

  it('treats an empty variable as not set', () => {
    const empty = { CATALOGUE_SOURCE: '', SITE_NAME: '', SITE_URL: '', ACCESS_URL: undefined }
    expect(parseConfiguration(empty)).toMatchObject(DEFAULTS)
  })

  it('reads its variables and ignores others', () => {
    const environment = {
      CATALOGUE_SOURCE: 'data/shop.sqlite',
      SITE_NAME: ' Aromas ',
      SITE_URL: 'https://Aromas.do/',
      ACCESS_URL: 'https://aromas.do/entrar?a=1',
      FIREBASE_PROJECT_ID: 'vitrina-1a2b3',
      OFFLINE: 'off',
      MAX_PRODUCTS: '800',
      PRODUCT_PAGES: 'off',
      PHOTOS: 'service',
      PHOTO_HOSTS: 'Photos.example, http://127.0.0.1:9000',
      HOSTING: 'bucket',
      PATH: '/bin',
      SITE_NAMES: 'x',
    }
    expect(parseConfiguration(environment)).toMatchObject({
      source: 'data/shop.sqlite',
      firestore: null,
      site: {
        name: 'Aromas',
        url: 'https://aromas.do',
        accessUrl: 'https://aromas.do/entrar?a=1',
        productPages: false,
        search: true,
        feeds: false,
        posters: false,
      },
      keepsPages: false,
      maxProducts: 800,
      isSearched: true,
      photos: {
        mode: 'service',
        hosts: { names: ['photos.example'], origins: ['http://127.0.0.1:9000'] },
      },
      coordinator: {
        url: 'https://aromas.do',
        secrets: { notice: [], rebuild: [] },
      },
      hosting: 'bucket',
    })
  })

  it('keeps search engines out of every stage but production', () => {
    expect(parseConfiguration({ VITRINA_ENV: 'staging' }).isSearched).toBe(false)
  })

  it('refuses a SITE_URL that is not an origin', () => {
    const urls = ['vitrina.do', 'ftp://vitrina.do', 'javascript:alert(1)', 'https://vitrina.do/shop', '/']
    for (const url of urls)
      expect(() => parseConfiguration({ SITE_URL: url })).toThrow(/SITE_URL must be an origin/)
  })

  it('refuses an ACCESS_URL that is not an http(s) address', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'login', '//evil.example', 'mailto:a@b.do'])
      expect(() => parseConfiguration({ ACCESS_URL: url })).toThrow(/ACCESS_URL must be an address/)
  })

  it('refuses a SITE_NAME that is blank or too long', () => {
    for (const name of [' ', '\t', 'a'.repeat(61)])
      expect(() => parseConfiguration({ SITE_NAME: name })).toThrow(/SITE_NAME must have 1 to 60/)
    expect(parseConfiguration({ SITE_NAME: 'a'.repeat(60) }).site.name).toHaveLength(60)
  })

  it('refuses a MAX_PRODUCTS that is no number of products from 100 to 100,000', () => {
    for (const most of ['99', '100001', '1e3', '-500', 'all', '500.5'])
      expect(() => parseConfiguration({ MAX_PRODUCTS: most })).toThrow(/MAX_PRODUCTS must be a number/)
  })

  it('counts as another one if a page may show it, and has no secret among those', () => {
    const secret = `whsec_${Buffer.alloc(24).toString('base64')}`
    const { pageSettings } = parseConfiguration({ SITE_NAME: 'Aromas', REBUILD_SECRET: secret })
    expect(pageSettings).toMatchObject({ SITE_NAME: 'Aromas', PHOTOS: 'files' })
    expect(Object.keys(pageSettings).filter((name) => /SECRET|SOURCE|FIRE|GOOGLE/.test(name))).toEqual([])
  })

  it('names all wrong variables in one error', () => {
    const wrong = () => parseConfiguration({ SITE_URL: 'x', ACCESS_URL: 'y', SITE_NAME: ' ' })
    expect(wrong).toThrow(UsageError)
    expect(wrong).toThrow(/(?=.*SITE_NAME)(?=.*SITE_URL)(?=.*ACCESS_URL)/s)
  })
})

describe('the secrets', () => {
  const [first, second, notice] = ['first', 'second', 'notice'].map(
    (text) => `whsec_${Buffer.from(text.padEnd(32)).toString('base64')}`,
  )
  const parse = (environment: Readonly<Record<string, string | undefined>>) =>
    parseConfiguration(environment, []).coordinator.secrets

  it('are one for notices and one for all calls, each with the old one while it is replaced', () => {
    expect(parse({ REBUILD_SECRET: `${second} ${first}`, NOTICE_SECRET: notice })).toEqual({
      rebuild: [second, first],
      notice: [notice],
    })
  })

  it('are refused if one of them is too short', () => {
    for (const wrong of ['whsec_short', `${first} whsec_short`])
      expect(() => parse({ REBUILD_SECRET: wrong })).toThrow('REBUILD_SECRET must be whsec_')
  })
})

describe('a setting that a command needs', () => {
  it('is reported at once if it is missing, with settings that are wrong', () => {
    const set = { CATALOGUE_SOURCE: 'firestore', SITE_NAME: ' ' }
    expect(() => parseConfiguration(set, ['source', 'address', 'rebuild secret'])).toThrow(
      /(?=.*SITE_NAME must)(?=.*FIREBASE_PROJECT_ID is not)(?=.*SITE_URL is not)(?=.*REBUILD_SECRET is not)/s,
    )
  })

  it('is not asked for by other commands', () => {
    expect(() => parseConfiguration({ CATALOGUE_SOURCE: 'firestore' }, [])).not.toThrow()
  })
})

describe('the configuration of Firestore', () => {
  const parse = (environment: Record<string, string>) =>
    parseConfiguration({
      CATALOGUE_SOURCE: 'firestore',
      FIREBASE_PROJECT_ID: 'vitrina-1a2b3',
      ...environment,
    })

  it('is parsed only if Firestore is the source', () => {
    expect(parse({}).firestore).toEqual({
      projectId: 'vitrina-1a2b3',
      emulatorHost: null,
      credentialsFile: null,
    })
    expect(parse({ CATALOGUE_SOURCE: 'shop.sqlite' }).firestore).toBeNull()
  })

  it('reads the variables of Google’s library', () => {
    const google = { FIRESTORE_EMULATOR_HOST: '127.0.0.1:8080', GOOGLE_APPLICATION_CREDENTIALS: 'key.json' }
    expect(parse(google).firestore).toMatchObject({
      emulatorHost: '127.0.0.1:8080',
      credentialsFile: 'key.json',
    })
    expect(parse({ FIRESTORE_EMULATOR_HOST: '[::1]:8080' }).firestore).toMatchObject({
      emulatorHost: '[::1]:8080',
    })
  })

  it('refuses a missing or invalid project id', () => {
    expect(() => parse({ FIREBASE_PROJECT_ID: '' })).toThrow(/FIREBASE_PROJECT_ID is not set/)
    for (const id of ['a/b', 'a b', '../x', 'a\nb'])
      expect(() => parse({ FIREBASE_PROJECT_ID: id })).toThrow(UsageError)
  })

  it('refuses an emulator address that is not a host and a port', () => {
    for (const host of ['localhost', 'http://localhost:8080', 'localhost:8080/x', ':8080', 'a b:1'])
      expect(() => parse({ FIRESTORE_EMULATOR_HOST: host })).toThrow(/FIRESTORE_EMULATOR_HOST must be/)
  })
})
