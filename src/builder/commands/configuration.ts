/** Parses the environment into a typed value. */
import { safeParse } from 'valibot'
import { mapSwitches, PAGE_SWITCHES } from '../../domain/documents/page-switches.ts'
import type { PictureFacts } from '../../domain/photos/picture-facts.ts'
import { parsePhotoHosts } from '../../domain/photos/photo-hosts.ts'
import type { Site } from '../../domain/pages/site.ts'
import type { FirestoreOptions } from '../sources/firestore/firestore-client.ts'
import type { CoordinatorAddress } from '../publish/coordinator/coordinator-client.ts'
import type { Environment } from './command.ts'
import type { Settings } from './settings.ts'
import { LOCAL, SETTING_DEFAULTS, SETTINGS } from './settings.ts'
import { findSettingsFile, readStage } from './stage.ts'
import { UsageError } from '../files/usage-error.ts'

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
  readonly photos: PhotoOptions
  readonly coordinator: ConfiguredCoordinator
  /** The public place: static assets of the Worker, or a bucket that the Worker serves. */
  readonly hosting: Settings['HOSTING']
}

interface ConfiguredCoordinator extends CoordinatorAddress {
  /** True if no setting has the address. */
  readonly isDefault: boolean
}

/**
 * How small pictures of photos are made, and the permitted hosts of photos. `files`: a rebuild makes the pictures.
 * `service`: Cloudflare makes them. `off`: pages show the photos at their original addresses.
 */
type PhotoOptions = Omit<PictureFacts, 'makesPreviews'>

const PROJECT_ID = /^[\w.:-]+$/
const HOST = /^([\w.-]+|\[[\da-f:]+\]):\d+$/i

/** A group of settings that a command may require. Other commands accept that these settings are missing. */
export type Need = 'source' | 'address' | 'rebuild secret' | 'notice secret'

const CREATE = `node -e "console.log('whsec_' + crypto.randomBytes(32).toString('base64'))" creates a secret`

/** An empty variable counts as not set. Throws a `UsageError` that lists all wrong and all missing settings. */
export function parseConfiguration(
  environment: Environment,
  needs: readonly Need[] = ['source'],
): Configuration {
  const { set, result, problems } = readSettings(environment, needs)
  if (!result.success || problems.length > 0)
    throw new UsageError(
      `${problems.join('; ')}. Correct this in the environment or in ${findSettingsFile(environment)}.`,
    )
  const { CATALOGUE_SOURCE: source, SITE_NAME, SITE_URL, ACCESS_URL, OFFLINE } = result.output
  const { output } = result
  return {
    source,
    firestore: source === 'firestore' && needs.includes('source') ? readFirestore(result.output) : null,
    site: {
      name: SITE_NAME,
      url: SITE_URL,
      accessUrl: ACCESS_URL ?? null,
      ...mapSwitches((name) => output[PAGE_SWITCHES[name].variable] === 'on'),
    },
    maxProducts: Number(result.output.MAX_PRODUCTS),
    keepsPages: OFFLINE === 'on',
    isSearched: readStage(environment) === null,
    photos: {
      mode: result.output.PHOTOS,
      hosts: parsePhotoHosts(result.output.PHOTO_HOSTS) ?? { names: [], origins: [] },
    },
    coordinator: readCoordinator(result.output, set),
    hosting: result.output.HOSTING,
  }
}

function readSettings(environment: Environment, needs: readonly Need[]) {
  const names = Object.keys(SETTING_DEFAULTS)
  const set = Object.fromEntries(
    names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  )
  const result = safeParse(SETTINGS, set)
  const wrong = (result.issues ?? []).map((issue) => `${String(issue.path?.[0]?.key)} ${issue.message}`)
  return { set, result, problems: [...wrong, ...findMissing(set, needs)] }
}

function findMissing(set: Environment, needs: readonly Need[]): readonly string[] {
  // An address that does not parse counts as not local, so that it is not reported twice: the check of `SETTINGS`
  // already reports it.
  const isLocal = isLocalHost(URL.parse(set.SITE_URL ?? LOCAL)?.hostname ?? '')
  // A command that needs the address reports anyway that it is not set.
  const saysAddress = hasDefaultAddress(set) && !needs.includes('address')
  const { REBUILD_SECRET, NOTICE_SECRET } = set
  const missing: Readonly<Record<Need, readonly string[]>> = {
    source: set.CATALOGUE_SOURCE === 'firestore' ? findFirestoreProblems(set) : [],
    address: [
      ...(isLocal
        ? ['SITE_URL is not set to the address that visitors use, such as https://vitrina.do']
        : []),
      ...(set.PHOTOS === 'service' && isOfWorkers(set.SITE_URL ?? LOCAL)
        ? ['PHOTOS=service needs a domain of your own: Cloudflare does not transform pictures at workers.dev']
        : []),
    ],
    'rebuild secret': REBUILD_SECRET === undefined ? [describeMissing('REBUILD_SECRET', saysAddress)] : [],
    'notice secret':
      REBUILD_SECRET === undefined && NOTICE_SECRET === undefined
        ? [describeMissing('NOTICE_SECRET', saysAddress)]
        : [],
  }
  return needs.flatMap((need) => missing[need])
}

/** Returns whether the address is at workers.dev, where Cloudflare offers no services of a zone. */
function isOfWorkers(address: string): boolean {
  return URL.parse(address)?.hostname.endsWith('.workers.dev') === true
}

function hasDefaultAddress({ SITE_URL, COORDINATOR_URL }: Environment): boolean {
  return SITE_URL === undefined && COORDINATOR_URL === undefined
}

/** `saysAddress`: whether the message also says which address is called by default. */
function describeMissing(name: string, saysAddress: boolean): string {
  const where = saysAddress ? `; SITE_URL is not set either, so ${LOCAL} would be called` : ''
  return `${name} is not set: set it to the secret that the site has (for a new site, ${CREATE})${where}`
}

function readCoordinator(
  { SITE_URL, COORDINATOR_URL = SITE_URL, NOTICE_SECRET = [], REBUILD_SECRET = [] }: Settings,
  set: Environment,
): ConfiguredCoordinator {
  return {
    url: COORDINATOR_URL,
    secrets: { notice: NOTICE_SECRET, rebuild: REBUILD_SECRET },
    isDefault: hasDefaultAddress(set),
  }
}

// Called only if the source is Firestore, because otherwise these variables may be set for another program.
function findFirestoreProblems(set: Environment): readonly string[] {
  const { FIREBASE_PROJECT_ID: id = '', FIRESTORE_EMULATOR_HOST: host = '' } = set
  return [
    ...(id === ''
      ? ['FIREBASE_PROJECT_ID is not set: set it to the id of the Firebase project, such as vitrina-1a2b3']
      : []),
    ...(id !== '' && !PROJECT_ID.test(id)
      ? ['FIREBASE_PROJECT_ID must be the id of a Firebase project, such as vitrina-1a2b3']
      : []),
    ...(host !== '' && !HOST.test(host)
      ? ['FIRESTORE_EMULATOR_HOST must be a host and a port such as 127.0.0.1:8080']
      : []),
  ]
}

function readFirestore(settings: Settings): FirestoreOptions {
  const {
    FIREBASE_PROJECT_ID: projectId = '',
    FIRESTORE_EMULATOR_HOST: emulatorHost = null,
    GOOGLE_APPLICATION_CREDENTIALS: credentialsFile = null,
  } = settings
  return { projectId, emulatorHost, credentialsFile }
}

/** Returns whether the host is `localhost` or a subdomain of it, which only this machine can reach. */
function isLocalHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}
