/**
 * Runs in the visitor's browser, beside the pages: shows the last seen page, with its date, when the network does not
 * answer. A page that is kept is never shown without that date. Pictures are left to the browser's own cache.
 *
 * To switch it off, set OFFLINE=off, rebuild and publish: another file takes this one's name, which forgets what was
 * kept and ends itself when a visitor comes back. OFFLINE=on brings it back.
 */
const PAGES = 'pages-1'
const MOST_PAGES = 30
const KEPT_AT = 'x-kept-at'

/** In milliseconds; then a page that is kept is better than none. */
const PATIENCE = 4000

/** Every page holds this line, which is hidden until it is true. Pages without it are not kept. */
const LINE = '<p class="kept" hidden>'
const DATE = '<time></time>'

addEventListener('install', () => skipWaiting())

addEventListener('activate', (event) => event.waitUntil(begin()))

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/')) return
  if (request.mode === 'navigate') event.respondWith(answerPage(event, pathname))
  else if (request.destination === 'image') event.respondWith(answerPicture(request))
})

/** Pages that were opened before this began to work are kept as well. */
async function begin() {
  // The network is asked while this file is still being started.
  await registration.navigationPreload?.enable()
  await clients.claim()
  for (const name of await caches.keys()) if (name !== PAGES) await caches.delete(name)
  const windows = await clients.matchAll({ type: 'window' })
  await Promise.all(
    windows.map(async ({ url }) => keepPage(await fetch(url), new URL(url).pathname)),
  )
}

async function answerPage(event, pathname) {
  const fresh = askNetwork(event)
  event.waitUntil(fresh.then((response) => keepPage(response.clone(), pathname)).catch(() => {}))
  const first = await Promise.race([fresh.catch(() => null), wait(PATIENCE)])
  if (first !== null && first.status < 500) return first
  return (await readKept(pathname)) ?? fresh
}

/** Whoever goes back, or opens a tab of yesterday, would get an old page from the browser's own cache. */
async function askNetwork({ request, preloadResponse }) {
  const early = request.cache === 'default' ? await preloadResponse : undefined
  return early ?? fetch(request, { cache: 'no-cache' })
}

async function answerPicture(request) {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await fetch(request.url, { cache: 'only-if-cached', mode: 'same-origin' }).catch(() => null)
    if (kept?.ok) return kept
    throw error
  }
}

async function keepPage(response, pathname) {
  const pages = await caches.open(PAGES)
  if (response.status === 404 || response.status === 410) return pages.delete(pathname)
  if (!response.ok || response.redirected) return
  const html = await response.text()
  if (!html.includes(LINE) || !html.includes(DATE)) return
  const headers = new Headers(response.headers)
  headers.set(KEPT_AT, new Date().toISOString())
  await pages.put(pathname, new Response(html, { headers }))
  const oldest = (await pages.keys()).slice(0, -MOST_PAGES)
  await Promise.all(oldest.map((request) => pages.delete(request)))
}

async function readKept(pathname) {
  const kept = await (await caches.open(PAGES)).match(pathname)
  if (kept === undefined) return null
  const time = kept.headers.get(KEPT_AT)
  const words = new Date(time).toLocaleString('es-DO', { dateStyle: 'long', timeStyle: 'short' })
  const html = (await kept.text())
    .replace(LINE, '<p class="kept">')
    .replace(DATE, `<time datetime="${time}">${words}</time>`)
  return new Response(html, { headers: kept.headers })
}

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, null))
}
