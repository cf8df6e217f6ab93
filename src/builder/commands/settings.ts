/** The settings of the program: environment variables, with their forms and defaults. */
import type { InferOutput, OptionalSchema } from 'valibot'
import { check, optional, picklist, pipe, strictObject, string, transform } from 'valibot'
import {
  DEFAULT_MAX_PRODUCTS,
  LEAST_MAX_PRODUCTS,
  MOST_MAX_PRODUCTS,
} from '../../domain/catalogue/product-limit.ts'
import type { PageSwitch } from '../../domain/documents/page-switches.ts'
import { PAGE_SWITCHES } from '../../domain/documents/page-switches.ts'
import { DEFAULT_PHOTO_HOSTS, parsePhotoHosts } from '../../domain/photos/photo-hosts.ts'
import { parseSecrets } from '../../domain/wire/secrets.ts'

/** An embedded database, which is created from the bundled sample on first use. */
export const DEFAULT_SOURCE = 'vitrina.sqlite'

/** Address at which the local edge serves the site by default. */
export const LOCAL = 'http://localhost:8787'

const MAX_NAME = 60

const ORIGIN = pipe(
  string(),
  check(
    (text) => isWebAddress(text) && new URL(text).pathname === '/',
    'must be an origin such as https://vitrina.do',
  ),
  transform((text) => new URL(text).origin),
)

/** One secret, or the new and the old one while it is replaced. */
const SECRETS = pipe(
  string(),
  check(
    (text) => parseSecrets(text).length > 0,
    'must be whsec_ followed by at least 24 random bytes in base64, or two of them with a space between',
  ),
  transform(parseSecrets),
)

const SWITCH = picklist(['on', 'off'], 'must be on or off')

const PAGE_VARIABLES = Object.fromEntries(
  Object.values(PAGE_SWITCHES).map(({ variable, usual }) => [variable, optional(SWITCH, usual)]),
) as PageVariables

type PageVariables = Readonly<
  Record<(typeof PAGE_SWITCHES)[PageSwitch]['variable'], OptionalSchema<typeof SWITCH, 'on' | 'off'>>
>

export const SETTINGS = strictObject({
  CATALOGUE_SOURCE: optional(string(), DEFAULT_SOURCE),
  SITE_NAME: optional(
    pipe(
      string(),
      check((text) => text.trim() !== '' && text.length <= MAX_NAME, `must have 1 to ${MAX_NAME} characters`),
      transform((text) => text.trim()),
    ),
    'Vitrina',
  ),
  SITE_URL: optional(ORIGIN, LOCAL),
  COORDINATOR_URL: optional(ORIGIN),
  REBUILD_SECRET: optional(SECRETS),
  NOTICE_SECRET: optional(SECRETS),
  HOSTING: optional(picklist(['assets', 'bucket'], 'must be assets or bucket'), 'assets'),
  ACCESS_URL: optional(
    pipe(string(), check(isWebAddress, 'must be an address such as https://example.com/login')),
  ),
  OFFLINE: optional(SWITCH, 'on'),
  MAX_PRODUCTS: optional(
    pipe(
      string(),
      check(
        (text) =>
          /^\d+$/.test(text) && Number(text) >= LEAST_MAX_PRODUCTS && Number(text) <= MOST_MAX_PRODUCTS,
        `must be a number of products from ${LEAST_MAX_PRODUCTS} to ${MOST_MAX_PRODUCTS}`,
      ),
    ),
    String(DEFAULT_MAX_PRODUCTS),
  ),
  ...PAGE_VARIABLES,
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
  // Google's library reads the next two variables itself. They are listed here so that they are checked too.
  FIRESTORE_EMULATOR_HOST: optional(string()),
  GOOGLE_APPLICATION_CREDENTIALS: optional(string()),
})

export type Settings = InferOutput<typeof SETTINGS>

/** The default of each setting; `null` if there is none. */
export const SETTING_DEFAULTS: Readonly<Record<string, string | null>> = Object.fromEntries(
  Object.entries(SETTINGS.entries).map(([name, entry]) => [name, entry.default ?? null]),
)

/** Named by a program that starts an emulator to its child processes, which inherit it. */
const EMULATOR = 'FIRESTORE_EMULATOR_HOST'

/**
 * Environment variables with which a command has the default of each setting, even if `.env` or the shell sets another
 * value. For commands that build sites of their own, such as tests and proofs.
 */
export const NO_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  [...Object.keys(SETTING_DEFAULTS).filter((name) => name !== EMULATOR), 'VITRINA_ENV'].map((name) => [
    name,
    '',
  ]),
)

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:'
}
