/**
 * Replaces the service worker on sites that have switched it off: the replacement deletes all caches and unregisters
 * itself.
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
