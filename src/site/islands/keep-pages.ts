/** The inline script of every page: lets the service worker keep what is seen, once the page itself has loaded. */
const WORKER = '/service-worker.js'

// Where it cannot be had, pages are as they are.
const begin = (): Promise<unknown> => navigator.serviceWorker.register(WORKER).catch(() => null)

if ('serviceWorker' in navigator) addEventListener('load', begin)
