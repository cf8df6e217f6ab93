/** The settings that stories change, with the values that they take. */
import { SECRET_NAMES } from '../../../src/domain/wire/secrets.ts'

export const PLAYED_SETTINGS = [
  'SITE_NAME',
  'SITE_URL',
  'ACCESS_URL',
  'OFFLINE',
  'PHOTOS',
  'PHOTO_HOSTS',
  'PRODUCT_PAGES',
  'SEARCH',
  'FEEDS',
  'POSTERS',
] as const

type PlayedSetting = (typeof PLAYED_SETTINGS)[number]

/**
 * Settings that the stories of `prove:equivalence` do not change. `HOSTING`: the output folder of lane `objects` has no
 * pages to compare, so tests of the rebuild cover a change of the lane. `MAX_PRODUCTS`: no seller of these stories has
 * as many products as the lowest permitted limit. The stories set the source directly. All other settings concern
 * reading and publishing.
 */
export const UNPLAYED_SETTINGS: readonly string[] = [
  'HOSTING',
  'EDGE_MAX_AGE',
  'MAX_PRODUCTS',
  'CATALOGUE_SOURCE',
  'COORDINATOR_URL',
  ...SECRET_NAMES,
  'DISPATCH',
  'DISPATCH_FULL',
  'DISPATCH_SECRET',
  'FIREBASE_PROJECT_ID',
  'FIRESTORE_EMULATOR_HOST',
  'GOOGLE_APPLICATION_CREDENTIALS',
]

export type StorySettings = Readonly<Record<PlayedSetting, string>>

/** An empty value means that the setting is not set. `createFirstSettings` takes the first value of each setting. */
export function listSettingValues(photoHost: string): Readonly<Record<PlayedSetting, readonly string[]>> {
  return {
    SITE_NAME: ['Vitrina', 'La <Vitrina> & Cía', 'Escaparate'],
    SITE_URL: ['', 'https://vitrina.example', 'https://otra.example:8443'],
    ACCESS_URL: ['', 'https://example.com/login', 'https://example.com/acceso?a=1&b=%22'],
    OFFLINE: ['on', 'off'],
    PHOTOS: ['off', 'files', 'service'],
    // `localhost` is tested because photos of a host with a private address are refused without a request.
    PHOTO_HOSTS: [photoHost, '', 'localhost', `${photoHost}, *.photos.example`],
    PRODUCT_PAGES: ['on', 'off'],
    SEARCH: ['on', 'off'],
    FEEDS: ['on', 'off'],
    POSTERS: ['on', 'off'],
  }
}

export function createFirstSettings(photoHost: string): StorySettings {
  const entries = Object.entries(listSettingValues(photoHost)).map(([name, [first]]) => [name, first])
  return Object.fromEntries(entries) as StorySettings
}
