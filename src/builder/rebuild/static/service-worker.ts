/**
 * Replaces the service worker of a site that has it switched off: the replacement unregisters itself and deletes its
 * caches.
 */

/** File name in the public folder, which pages register. */
export const SERVICE_WORKER = 'service-worker.js'

export const RETIRED = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(retire()))

async function retire() {
  for (const name of await caches.keys()) await caches.delete(name)
  await registration.unregister()
}
`
