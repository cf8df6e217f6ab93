/** What stands in place of the service worker where it is switched off: browsers that have it forget it. */

/** As in the public folder, and as pages register it. */
export const SERVICE_WORKER = 'service-worker.js'

export const RETIRED = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(retire()))

async function retire() {
  for (const name of await caches.keys()) await caches.delete(name)
  await registration.unregister()
}
`
