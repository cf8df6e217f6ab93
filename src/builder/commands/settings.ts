/** The settings of the program: environment variables, with their meanings, forms and defaults. */
import type { GenericSchema, InferOutput } from 'valibot'
import { check, description, getDescription, optional, picklist, pipe, strictObject } from 'valibot'
import { string, transform } from 'valibot'
import {
  DEFAULT_MAX_PRODUCTS,
  LEAST_MAX_PRODUCTS,
  MOST_MAX_PRODUCTS,
} from '../../domain/catalogue/product-limit.ts'
import { PAGE_SWITCHES } from '../../domain/documents/page-switches.ts'
import { DEFAULT_PHOTO_HOSTS, parsePhotoHosts } from '../../domain/photos/photo-hosts.ts'
import { parseSecrets } from '../../domain/wire/secrets.ts'
import { UsageError } from '../files/usage-error.ts'

/** A setting is wrong, misspelt or missing. The message says how to correct it. */
export class SettingsError extends UsageError {}

/** An embedded database, which is created from the bundled sample on first use. */
export const DEFAULT_SOURCE = 'vitrina.sqlite'

/** Address at which the local edge serves the site by default. */
export const LOCAL = 'http://localhost:8787'

const MAX_NAME = 60

const matching = (isRight: (text: string) => boolean, message: string) =>
  pipe(string(), check(isRight, message))

const NAME = pipe(
  matching((text) => text.trim() !== '' && text.length <= MAX_NAME, `must have 1 to ${MAX_NAME} characters`),
  transform((text) => text.trim()),
)
const ADDRESS = matching(isWebAddress, 'must be an address such as https://example.com/login')
const ORIGIN = pipe(
  matching(
    (text) => isWebAddress(text) && new URL(text).pathname === '/',
    'must be an origin such as https://vitrina.do',
  ),
  transform((text) => new URL(text).origin),
)
/** One secret, or the new and the old one while it is replaced. */
const SECRETS = pipe(
  matching(
    (text) => parseSecrets(text).length > 0,
    'must be whsec_ followed by at least 24 random bytes in base64, or two of them with a space between',
  ),
  transform(parseSecrets),
)
const PRODUCTS = matching(
  (text) => /^\d+$/.test(text) && Number(text) >= LEAST_MAX_PRODUCTS && Number(text) <= MOST_MAX_PRODUCTS,
  `must be a number of products from ${LEAST_MAX_PRODUCTS} to ${MOST_MAX_PRODUCTS}`,
)
const HOSTS = matching(
  (text) => parsePhotoHosts(text) !== null,
  'must list hosts such as photos.example or *.photos.example, or whole origins',
)
const PROJECT = matching(
  (text) => /^[\w.:-]+$/.test(text),
  'must be the id of a Firebase project, such as vitrina-1a2b3',
)
const EMULATOR = matching(
  (text) => /^([\w.-]+|\[[\da-f:]+\]):\d+$/i.test(text),
  'must be a host and a port such as 127.0.0.1:8080',
)
const SWITCH = picklist(['on', 'off'], 'must be on or off')
const HOSTING = picklist(['assets', 'bucket'], 'must be assets or bucket')
const PHOTOS = picklist(['files', 'service', 'off'], 'must be files, service or off')

/** `usual` is the default, and `meaning` is Markdown as in `docs`. */
function usually<Form extends GenericSchema<string, unknown>>(form: Form, usual: string, meaning: string) {
  return pipe(optional(form, usual), description(meaning))
}

/** A setting without a default. */
function maybe<Form extends GenericSchema<string, unknown>>(form: Form, meaning: string) {
  return pipe(optional(form), description(meaning))
}

const { productPages, search, feeds, posters } = PAGE_SWITCHES

export const SETTINGS = strictObject({
  CATALOGUE_SOURCE: usually(string(), DEFAULT_SOURCE, '`firestore`, a `.sqlite` file or a folder'),
  SITE_NAME: usually(
    NAME,
    'Vitrina',
    'the brand, the end of titles and the name of the installed site; 1 to 60 characters',
  ),
  SITE_URL: usually(ORIGIN, LOCAL, 'origin of canonical addresses; publishing refuses `localhost`'),
  COORDINATOR_URL: maybe(ORIGIN, 'origin of the site whose coordinator is asked; unset: `SITE_URL`'),
  REBUILD_SECRET: maybe(
    SECRETS,
    'signs every call: `whsec_` and 24 random bytes or more in base64; [while it is replaced](operate.md#secrets) two of them',
  ),
  NOTICE_SECRET: maybe(SECRETS, 'signs notices of changed sellers, and permits nothing else; likewise'),
  HOSTING: usually(
    HOSTING,
    'assets',
    'the public place: `assets` of the Worker, or a [`bucket`](operate.md#a-growing-site)',
  ),
  ACCESS_URL: maybe(ADDRESS, "where 'Acceder' leads; unset: the button does nothing"),
  OFFLINE: usually(SWITCH, 'on', '`on` or `off`: whether browsers keep the last pages they saw'),
  PRODUCT_PAGES: usually(
    SWITCH,
    productPages.usual,
    '`on` or `off`: whether each product has a page, which is a file each',
  ),
  SEARCH: usually(
    SWITCH,
    search.usual,
    '`on` or `off`: whether a page [searches all catalogues](design.md#the-search)',
  ),
  FEEDS: usually(
    SWITCH,
    feeds.usual,
    '`on` or `off`: whether each seller has a [product feed](#product-feeds), a file each',
  ),
  POSTERS: usually(
    SWITCH,
    posters.usual,
    '`on` or `off`: whether each seller has a [poster](#posters), a file each',
  ),
  MAX_PRODUCTS: usually(
    PRODUCTS,
    String(DEFAULT_MAX_PRODUCTS),
    'how many products of a seller are shown, 100 to 100,000',
  ),
  PHOTOS: usually(PHOTOS, 'files', '[pictures of photos](#photos): `files`, `service` or `off`'),
  PHOTO_HOSTS: usually(
    HOSTS,
    DEFAULT_PHOTO_HOSTS,
    'hosts of photos: names, `*.` names or whole origins, separated by commas or spaces',
  ),
  FIREBASE_PROJECT_ID: maybe(PROJECT, 'the project whose Firestore is read'),
  // Google's library reads the next two variables itself. They are listed here so that they are checked too.
  FIRESTORE_EMULATOR_HOST: maybe(EMULATOR, 'host and port of a local emulator'),
  GOOGLE_APPLICATION_CREDENTIALS: maybe(string(), "file with the service account's key"),
})

export type Settings = InferOutput<typeof SETTINGS>

/** `usual` is the default; `null` if there is none. */
export const SETTING_LIST = Object.entries(SETTINGS.entries).map(([name, entry]) => ({
  name,
  meaning: getDescription(entry) ?? '',
  usual: entry.default ?? null,
}))

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:'
}
