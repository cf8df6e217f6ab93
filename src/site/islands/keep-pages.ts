/** The inline script of every page: registers the service worker after the page has loaded. */
const WORKER = '/service-worker.js'

// Pages work without the service worker, so a failed registration is ignored.
const begin = (): Promise<unknown> => navigator.serviceWorker.register(WORKER).catch(() => null)

if ('serviceWorker' in navigator) addEventListener('load', begin)
