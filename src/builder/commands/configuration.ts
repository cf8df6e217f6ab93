/** Parses the environment into a typed value, and finds the settings that a command needs and that are missing. */
import { safeParse } from 'valibot'
import { mapSwitches, PAGE_SWITCHES } from '../../domain/documents/page-switches.ts'
import type { PictureFacts } from '../../domain/photos/picture-facts.ts'
import { parsePhotoHosts } from '../../domain/photos/photo-hosts.ts'
import type { Site } from '../../domain/pages/site.ts'
import type { FirestoreOptions } from '../sources/firestore/firestore-client.ts'
import type { CoordinatorAddress } from '../publish/coordinator/coordinator-client.ts'
import type { Environment } from './command.ts'
import type { Settings } from './settings.ts'
import { LOCAL, SETTING_LIST, SETTINGS, SettingsError } from './settings.ts'
import { findSettingsFile, readStage } from './stage.ts'

export interface Configuration {
  /** `firestore`, a `.sqlite` or `.db` file, or a folder. */
  readonly source: string
  /** `null` unless the source is Firestore and the command needs the source. */
  readonly firestore: FirestoreOptions | null
  readonly site: Site
  /** Max number of products of a seller that the site shows. */
  readonly maxProducts: number
  /** Whether browsers keep the pages that they visited most recently for offline use. */
  readonly keepsPages: boolean
  /** Whether search engines may read the site. */
  readonly isSearched: boolean
  readonly photos: PictureFacts
  readonly coordinator: CoordinatorAddress
  /** The public place: static assets of the Worker, or a bucket that the Worker serves. */
  readonly hosting: Settings['HOSTING']
}

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
  const problems = [...new Set([...wrong, ...needs.flatMap((need) => FIND_MISSING[need](set))])]
  if (!parsed.success || problems.length > 0)
    throw new SettingsError(
      `Correct the settings in ${findSettingsFile(environment)} or in the environment:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    )
  return createConfiguration(parsed.output, { environment, needs })
}

function createConfiguration(
  settings: Settings,
  { environment, needs }: { readonly environment: Environment; readonly needs: readonly Need[] },
): Configuration {
  const { CATALOGUE_SOURCE: source, SITE_NAME, SITE_URL, COORDINATOR_URL = SITE_URL } = settings
  const { REBUILD_SECRET: rebuild = [], NOTICE_SECRET: notice = [], PHOTOS, PHOTO_HOSTS } = settings
  return {
    source,
    firestore: source === 'firestore' && needs.includes('source') ? readFirestore(settings) : null,
    site: {
      name: SITE_NAME,
      url: SITE_URL,
      accessUrl: settings.ACCESS_URL ?? null,
      ...mapSwitches((name) => settings[PAGE_SWITCHES[name].variable] === 'on'),
    },
    maxProducts: Number(settings.MAX_PRODUCTS),
    keepsPages: settings.OFFLINE === 'on',
    isSearched: readStage(environment) === null,
    photos: { mode: PHOTOS, hosts: parsePhotoHosts(PHOTO_HOSTS) ?? { names: [], origins: [] } },
    coordinator: { url: COORDINATOR_URL, secrets: { notice, rebuild } },
    hosting: settings.HOSTING,
  }
}

const CREATE = `node -e "console.log('whsec_' + crypto.randomBytes(32).toString('base64'))"`

const FIND_MISSING: Readonly<Record<Need, (set: Environment) => readonly string[]>> = {
  source: (set) => (set['CATALOGUE_SOURCE'] === 'firestore' ? findFirestoreProblems(set) : []),
  address: ({ SITE_URL = LOCAL, PHOTOS }) => {
    // An address that does not parse is reported already.
    const host = URL.parse(SITE_URL)?.hostname ?? ''
    if (host === 'localhost' || host.endsWith('.localhost'))
      return ['SITE_URL is not the address that visitors use, such as https://vitrina.do']
    if (PHOTOS === 'service' && host.endsWith('.workers.dev'))
      return [
        'PHOTOS=service needs a domain of your own: Cloudflare does not transform pictures at workers.dev',
      ]
    return []
  },
  'rebuild secret': (set) => [
    ...findUnaddressed(set),
    ...(set['REBUILD_SECRET'] === undefined ? [describeMissing('REBUILD_SECRET')] : []),
  ],
  'notice secret': (set) => [
    ...findUnaddressed(set),
    ...((set['NOTICE_SECRET'] ?? set['REBUILD_SECRET']) === undefined
      ? [describeMissing('NOTICE_SECRET')]
      : []),
  ],
}

function findUnaddressed({ SITE_URL, COORDINATOR_URL }: Environment): readonly string[] {
  if ((COORDINATOR_URL ?? SITE_URL) !== undefined) return []
  return ['SITE_URL is not set: set it to the address of the site, such as https://vitrina.do']
}

function describeMissing(name: string): string {
  return `${name} is not set: set it to the secret that the site has. For a new site, make one:\n    ${CREATE}`
}

const PROJECT_ID = /^[\w.:-]+$/
const HOST = /^([\w.-]+|\[[\da-f:]+\]):\d+$/i

// Only if the source is Firestore, because otherwise these variables may be set for another program.
function findFirestoreProblems(set: Environment): readonly string[] {
  const { FIREBASE_PROJECT_ID: id = '', FIRESTORE_EMULATOR_HOST: host } = set
  return [
    ...(PROJECT_ID.test(id)
      ? []
      : [
          `FIREBASE_PROJECT_ID ${id === '' ? 'is not set: it' : ''} must be the id of a Firebase project, such as vitrina-1a2b3`,
        ]),
    ...(host === undefined || HOST.test(host)
      ? []
      : ['FIRESTORE_EMULATOR_HOST must be a host and a port such as 127.0.0.1:8080']),
  ]
}

function readFirestore(settings: Settings): FirestoreOptions {
  return {
    projectId: settings.FIREBASE_PROJECT_ID ?? '',
    emulatorHost: settings.FIRESTORE_EMULATOR_HOST ?? null,
    credentialsFile: settings.GOOGLE_APPLICATION_CREDENTIALS ?? null,
  }
}
