/**
 * Runs in the visitor's browser, beside the pages: shows the last seen page, with its date, when the network does not
 * answer, and a plain page for what was never seen. A kept page is never shown without its date. Pictures are left to
 * the browser's own cache.
 *
 * To switch it off, set OFFLINE=off, rebuild and publish: another file takes this one's name, which deletes the kept
 * pages and ends itself when a visitor comes back. OFFLINE=on brings it back.
 */
const PAGES = 'pages-2'

/** Pages of products have a number of their own: looking at many would push out the catalogue with the order. */
const MOST_PAGES = 30
const PRODUCT = /^\/catalogo\/[^/]+\/./

const KEPT_AT = 'x-kept-at'
const HOME = '/'

/** In milliseconds; after that a kept page is shown. */
const PATIENCE = 4000

/** Every page holds this line, which is hidden until it is true. Pages without it are not kept. */
const LINE = '<p class="kept" hidden>'
const DATE = '<span class="kept-at"></span>'

/** The home page holds the plain page, and in it a hidden list for the kept pages. */
const PLAIN = /<template id="sin-conexion" data-title="([^"]*)">(.*?)<\/template>/s
const LIST = '<nav hidden>'
const LINKS = '<ul role="list"></ul>'

addEventListener('install', (event) => {
  skipWaiting()
  event.waitUntil(keepFirstPages())
})

addEventListener('activate', (event) => event.waitUntil(begin()))

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/')) return
  if (request.mode === 'navigate') event.respondWith(answerPage(event, pathname))
  else if (request.destination === 'image') event.respondWith(answerPicture(request))
})

/** Keeps the home page and the open pages. The browser has those already, so it need not ask for them again. */
async function keepFirstPages() {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const urls = new Map([[HOME, HOME], ...windows.map(({ url }) => [new URL(url).pathname, url])])
  await Promise.allSettled(
    [...urls].map(async ([path, url]) => keepPage(await fetch(url, { cache: 'force-cache' }), path)),
  )
}

async function begin() {
  // Earlier workers enabled it. Firefox cancels a navigation whose preload fails, whatever the worker answers.
  await registration.navigationPreload?.disable()
  await clients.claim()
  for (const name of await caches.keys()) if (name !== PAGES) await caches.delete(name)
}

async function answerPage(event, pathname) {
  // Going back, or restoring a tab, the browser would show its own copy of a page, however old.
  const fresh = fetch(event.request, { cache: 'no-cache' })
  event.waitUntil(fresh.then((response) => keepPage(response.clone(), pathname)).catch(() => {}))
  const first = await Promise.race([fresh.catch(() => null), wait(PATIENCE)])
  if (first !== null && first.status < 500) return first
  const kept = await readKept(pathname)
  if (kept !== null) return kept
  return fresh.catch(async (error) => (await createPlainPage()) ?? Promise.reject(error))
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
  const answered = Date.parse(headers.get('date') ?? '') || Date.now()
  headers.set(KEPT_AT, new Date(answered).toISOString())
  await pages.put(pathname, new Response(html, { headers }))
  const isAlike = (path) => PRODUCT.test(path) === PRODUCT.test(pathname)
  const oldest = (await listPaths(pages)).filter(isAlike).slice(0, 1 - MOST_PAGES)
  await Promise.all(oldest.map((path) => pages.delete(path)))
}

/** Returns the paths of the kept pages except the home page, oldest first. */
async function listPaths(pages) {
  const requests = await pages.keys()
  return requests.map(({ url }) => new URL(url).pathname).filter((path) => path !== HOME)
}

async function readKept(pathname) {
  const kept = await (await caches.open(PAGES)).match(pathname)
  if (kept === undefined) return null
  const time = kept.headers.get(KEPT_AT)
  const words = new Date(time).toLocaleString('es-DO', { day: 'numeric', month: 'long' })
  const html = (await kept.text())
    .replace(LINE, '<p class="kept">')
    .replace(DATE, `<time datetime="${time}">${words}</time>`)
  return new Response(html, { headers: kept.headers })
}

/** Returns `null` when the home page is not kept. */
async function createPlainPage() {
  const pages = await caches.open(PAGES)
  const home = await pages.match(HOME)
  const html = (await home?.text()) ?? ''
  const [, title, plain] = PLAIN.exec(html) ?? []
  if (plain === undefined) return null
  const links = await Promise.all((await listPaths(pages)).map((path) => createLink(pages, path)))
  const list = plain.replace(LIST, '<nav>').replace(LINKS, () => `<ul role="list">${links.reverse().join('')}</ul>`)
  const titled = html.replace(/(<title>).*?(<\/title>)/s, (_, start, end) => start + title + end)
  const page = fillMain(titled, links.length > 0 ? list : plain)
  return new Response(page, { status: 503, headers: home.headers })
}

/** Not a regular expression, which would look for the end again from each beginning. */
function fillMain(html, content) {
  const start = html.indexOf('>', html.indexOf('<main')) + 1
  const end = html.lastIndexOf('</main>')
  return start === 0 || end < start ? html : html.slice(0, start) + content + html.slice(end)
}

/** The name of a page is that in its title, which is escaped already. */
async function createLink(pages, path) {
  const html = (await (await pages.match(path))?.text()) ?? ''
  const name = /<title>(.*?)(?: \| [^|]*)?<\/title>/s.exec(html)?.[1] ?? path
  return `<li><a class="pill" href="${path.replaceAll('&', '&amp;')}">${name}</a></li>`
}

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, null))
}
