/** Parses the environment into a typed value, and finds the settings that a command needs and that are missing. */
import { safeParse } from 'valibot'
import { mapSwitches, PAGE_SWITCHES } from '../../domain/documents/page-switches.ts'
import { parsePhotoHosts } from '../../domain/photos/photo-hosts.ts'
import type { Site } from '../../domain/pages/site.ts'
import type { FirestoreOptions } from '../sources/firestore/firestore-client.ts'
import type { Environment } from './command.ts'
import type { Settings } from './settings.ts'
import { LOCAL, SETTING_LIST, SETTINGS, SettingsError } from './settings.ts'
import { findSettingsFile, readStage } from './stage.ts'

export type Configuration = ReturnType<typeof createConfiguration>

/** A group of settings that a command may require. Other commands accept that these settings are missing. */
export type Need = 'source' | 'address' | 'rebuild secret' | 'notice secret'

/** An empty variable counts as not set. Throws a `SettingsError` that lists all wrong and all missing settings. */
export function parseConfiguration(
  environment: Environment,
  needs: readonly Need[] = ['source'],
): Configuration {
  const set = Object.fromEntries(
    SETTING_LIST.flatMap(({ name }) => (environment[name] ? [[name, environment[name]]] : [])),
  )
  const parsed = safeParse(SETTINGS, set)
  const wrong = (parsed.issues ?? []).map((issue) => `${String(issue.path?.[0]?.key)} ${issue.message}`)
  const problems = [...wrong, ...needs.flatMap((need) => FIND_MISSING[need](set) ?? [])]
  if (parsed.success && problems.length === 0)
    return createConfiguration(parsed.output, readStage(environment) === null)
  throw new SettingsError(
    `Correct the settings in ${findSettingsFile(environment)} or in the environment:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  )
}

/** Settings that no file of the site shows. */
const UNSEEN = /^(CATALOGUE_SOURCE|COORDINATOR_URL|HOSTING|FIRE\w+|GOOGLE_\w+|\w+_SECRET)$/

function createConfiguration(settings: Settings, isSearched: boolean) {
  const { CATALOGUE_SOURCE: source, SITE_NAME, SITE_URL, COORDINATOR_URL = SITE_URL } = settings
  const { REBUILD_SECRET: rebuild = [], NOTICE_SECRET: notice = [], PHOTOS, PHOTO_HOSTS } = settings
  const site: Site = {
    name: SITE_NAME,
    url: SITE_URL,
    accessUrl: settings.ACCESS_URL ?? null,
    ...mapSwitches((name) => settings[PAGE_SWITCHES[name].variable] === 'on'),
  }
  const seen = Object.entries(settings).filter(([name]) => !UNSEEN.test(name))
  const stage = isSearched ? 'production' : 'second site'
  return {
    /** `firestore`, a `.sqlite` or `.db` file, or a folder. */
    source,
    /** `null` unless the source is Firestore. */
    firestore: source === 'firestore' ? readFirestore(settings) : null,
    site,
    /** Max number of products of a seller that the site shows. */
    maxProducts: Number(settings.MAX_PRODUCTS),
    /** Whether browsers keep the pages that they visited most recently for offline use. */
    keepsPages: settings.OFFLINE === 'on',
    /** Whether search engines may read the site. */
    isSearched,
    photos: { mode: PHOTOS, hosts: parsePhotoHosts(PHOTO_HOSTS) ?? { names: [], origins: [] } },
    /** The settings on which files of the site depend, by name. */
    pageSettings: { ...Object.fromEntries(seen), VITRINA_ENV: stage },
    coordinator: { url: COORDINATOR_URL, secrets: { notice, rebuild } },
    /** The public place: static assets of the Worker, or a bucket that the Worker serves. */
    hosting: settings.HOSTING,
  }
}

function readFirestore(settings: Settings): FirestoreOptions {
  return {
    projectId: settings.FIREBASE_PROJECT_ID ?? '',
    emulatorHost: settings.FIRESTORE_EMULATOR_HOST ?? null,
    credentialsFile: settings.GOOGLE_APPLICATION_CREDENTIALS ?? null,
  }
}

const FIND_MISSING: Readonly<Record<Need, (set: Environment) => string | null>> = {
  source: ({ CATALOGUE_SOURCE, FIREBASE_PROJECT_ID }) =>
    CATALOGUE_SOURCE === 'firestore' && FIREBASE_PROJECT_ID === undefined
      ? 'FIREBASE_PROJECT_ID is not set: set it to the id of the Firebase project, such as vitrina-1a2b3'
      : null,
  // An address that does not parse is reported already.
  address: ({ SITE_URL = LOCAL }) =>
    /(^|\.)localhost$/.test(URL.parse(SITE_URL)?.hostname ?? '')
      ? 'SITE_URL is not the address that visitors use, such as https://vitrina.do'
      : null,
  'rebuild secret': ({ REBUILD_SECRET }) => describeSecret('REBUILD_SECRET', REBUILD_SECRET),
  'notice secret': ({ NOTICE_SECRET, REBUILD_SECRET }) =>
    describeSecret('NOTICE_SECRET', NOTICE_SECRET ?? REBUILD_SECRET),
}

function describeSecret(name: string, value: string | undefined): string | null {
  if (value !== undefined) return null
  return `${name} is not set: set it to the secret that the site has; docs/operate.md says how to make one`
}
