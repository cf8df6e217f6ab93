/** Parses the environment into a typed value. */
import type { InferOutput } from 'valibot'
import { check, optional, picklist, pipe, safeParse, strictObject, string, transform } from 'valibot'
import type { PhotoHosts } from '../../domain/photos/photo-hosts.ts'
import { DEFAULT_PHOTO_HOSTS, parsePhotoHosts } from '../../domain/photos/photo-hosts.ts'
import type { Site } from '../../domain/pages/site.ts'
import type { FirestoreOptions } from '../sources/firestore/firestore-client.ts'
import type { CoordinatorOptions } from '../publish/coordinator-client.ts'
import { UsageError } from '../state/usage-error.ts'

export interface Configuration {
  /** `firestore`, a `.sqlite` file or a folder. */
  readonly source: string
  /** `null` for other sources. */
  readonly firestore: FirestoreOptions | null
  readonly site: Site
  /** Whether browsers keep the last visited pages for offline use. */
  readonly keepsPages: boolean
  readonly photos: PhotoOptions
  readonly coordinator: CoordinatorOptions
}

/** The way to make small pictures of photos, and the permitted hosts of photos. */
export interface PhotoOptions {
  readonly mode: 'files' | 'service' | 'off'
  readonly hosts: PhotoHosts
}

type Environment = Readonly<Record<string, string | undefined>>

/** Created from the bundled sample on first use. */
export const DEFAULT_SOURCE = 'vitrina.sqlite'

const MAX_NAME = 60

const PROJECT_ID = /^[\w.:-]+$/
const HOST = /^([\w.-]+|\[[\da-f:]+\]):\d+$/i

const ORIGIN = pipe(
  string(),
  check(
    (text) => isWebAddress(text) && new URL(text).pathname === '/',
    'must be an origin such as https://vitrina.do',
  ),
  transform((text) => new URL(text).origin),
)

const SETTINGS = strictObject({
  CATALOGUE_SOURCE: optional(string(), DEFAULT_SOURCE),
  SITE_NAME: optional(
    pipe(
      string(),
      check((text) => text.trim() !== '' && text.length <= MAX_NAME, `must have 1 to ${MAX_NAME} characters`),
      transform((text) => text.trim()),
    ),
    'Vitrina',
  ),
  SITE_URL: optional(ORIGIN, 'http://localhost:8787'),
  COORDINATOR_URL: optional(ORIGIN),
  REBUILD_SECRET: optional(string()),
  REBUILD_SECRET_PREVIOUS: optional(string()),
  DISPATCH_SECRET: optional(string()),
  ACCESS_URL: optional(
    pipe(string(), check(isWebAddress, 'must be an address such as https://example.com/login')),
  ),
  OFFLINE: optional(picklist(['on', 'off'], 'must be on or off'), 'on'),
  PHOTOS: optional(picklist(['files', 'service', 'off'], 'must be files, service or off'), 'files'),
  PHOTO_HOSTS: optional(
    pipe(
      string(),
      check(
        (text) => parsePhotoHosts(text) !== null,
        'must list hosts such as photos.example or *.photos.example, or whole origins',
      ),
    ),
    DEFAULT_PHOTO_HOSTS,
  ),
  FIREBASE_PROJECT_ID: optional(string()),
  // Google's library reads these too.
  FIRESTORE_EMULATOR_HOST: optional(string()),
  GOOGLE_APPLICATION_CREDENTIALS: optional(string()),
})

type Settings = InferOutput<typeof SETTINGS>

/** The default of each setting, `null` without one. */
export const SETTING_DEFAULTS: Readonly<Record<string, string | null>> = Object.fromEntries(
  Object.entries(SETTINGS.entries).map(([name, entry]) => [name, entry.default ?? null]),
)

/** An empty variable counts as not set. Throws a `UsageError` that lists all wrong settings. */
export function parseConfiguration(environment: Environment): Configuration {
  const names = Object.keys(SETTING_DEFAULTS)
  const set = names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : []))
  const result = safeParse(SETTINGS, Object.fromEntries(set))
  if (!result.success) {
    const wrong = result.issues.map((issue) => `${String(issue.path?.[0]?.key)} ${issue.message}`)
    throw new UsageError(`${wrong.join('; ')}. Correct it in the environment or in .env.`)
  }
  const { CATALOGUE_SOURCE: source, SITE_NAME, SITE_URL, ACCESS_URL, OFFLINE } = result.output
  return {
    source,
    firestore: source === 'firestore' ? parseFirestore(result.output) : null,
    site: { name: SITE_NAME, url: SITE_URL, accessUrl: ACCESS_URL ?? null },
    keepsPages: OFFLINE === 'on',
    photos: {
      mode: result.output.PHOTOS,
      hosts: parsePhotoHosts(result.output.PHOTO_HOSTS) ?? { names: [], origins: [] },
    },
    coordinator: parseCoordinator(result.output),
  }
}

function parseCoordinator({
  SITE_URL,
  COORDINATOR_URL = SITE_URL,
  REBUILD_SECRET,
  REBUILD_SECRET_PREVIOUS,
  DISPATCH_SECRET,
}: Settings): CoordinatorOptions {
  const secrets = [REBUILD_SECRET, REBUILD_SECRET_PREVIOUS].filter((secret) => secret !== undefined)
  return { url: COORDINATOR_URL, secrets, dispatchSecret: DISPATCH_SECRET ?? null }
}

// Checked only for this source, since the variables may be set for another program.
function parseFirestore(settings: Settings): FirestoreOptions {
  const {
    FIREBASE_PROJECT_ID: projectId = '',
    FIRESTORE_EMULATOR_HOST: emulatorHost = null,
    GOOGLE_APPLICATION_CREDENTIALS: credentialsFile = null,
  } = settings
  if (!PROJECT_ID.test(projectId)) {
    const problem = projectId === '' ? 'is not set' : 'is not the id of a project'
    throw new UsageError(
      `FIREBASE_PROJECT_ID ${problem}: to read Firestore, set it to the project's id, such as vitrina-1a2b3, in the environment or in .env.`,
    )
  }
  if (emulatorHost !== null && !HOST.test(emulatorHost))
    throw new UsageError('FIRESTORE_EMULATOR_HOST must be a host and a port such as 127.0.0.1:8080.')
  return { projectId, emulatorHost, credentialsFile }
}

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:'
}
