/**
 * The service worker of sites without offline pages. It replaces an earlier service worker that a visitor's browser may
 * still have, deletes all caches and unregisters itself.
 */

/** Name of the service worker in the public folder. Pages register it if the site has offline pages. */
export const SERVICE_WORKER = 'service-worker.js'

export const RETIRED = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(retire()))

async function retire() {
  for (const name of await caches.keys()) await caches.delete(name)
  await registration.unregister()
}
`
