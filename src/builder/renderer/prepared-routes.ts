/**
 * Renders pages. Astro handles one request for each kind of page instead of one for each page: addresses, middleware,
 * cookies and responses would take a seventh of the total time, and no page depends on them.
 */
import type { AstroGlobal, SSRResult } from 'astro'
import { createApp } from 'astro/app/entrypoint'
import type { AstroComponentFactory } from 'astro/runtime/server/index.js'
import { chunkToString, renderHead, renderTemplate } from 'astro/runtime/server/index.js'
import { formatRoutePath } from '../../domain/documents/page-address.ts'
import type { PageKind } from '../../domain/documents/page-table.ts'
import type { PageLocals } from '../../domain/pages/page.ts'
import type { Site } from '../../domain/pages/site.ts'
import type { Renderer } from './load-renderer.ts'
import { PageAstro } from './page-astro.ts'

interface PreparedRoute {
  /** Astro's state for rendering a page. Each page needs a copy, because rendering changes this state. */
  readonly result: SSRResult
  /** The styles, scripts and links of the head, which are the same on all pages of a route. */
  readonly head: string
  readonly component: AstroComponentFactory
}

/** The locals of a request that only prepares its route. */
interface Preparation {
  readonly keepRoute: (route: PreparedRoute) => void
}

type App = ReturnType<typeof createApp>

let app: App | null = null
const routes = new Map<PageKind, PreparedRoute>()

export function createRenderer(site: Site): Renderer {
  return {
    render: async (page) => {
      const route = routes.get(page.kind) ?? (await prepareRoute(page.kind))
      routes.set(page.kind, route)
      return renderPage(route, { site, page })
    },
  }
}

async function prepareRoute(kind: PageKind): Promise<PreparedRoute> {
  app ??= openApp()
  const kept: PreparedRoute[] = []
  const locals: Preparation = { keepRoute: (route) => kept.push(route) }
  await app.render(new Request(`http://localhost${formatRoutePath(kind)}`), { locals })
  const [route] = kept
  if (route === undefined) throw new Error(`the renderer has no page of the kind ${kind}`)
  return route
}

function openApp(): App {
  const opened = createApp({ streaming: false })
  // Drops Astro's log, because it would go to stdout, where the command writes its own output.
  opened.logger.setDestination({ write: () => {} })
  opened.renderError = async (_request, { error, status }) => {
    throw error instanceof Error ? error : new Error(`the renderer returned status ${status}`)
  }
  const { pageMap } = opened.manifest
  for (const [name, load] of pageMap ?? []) pageMap?.set(name, () => loadPreparable(load))
  return opened
}

type LoadPage = Parameters<NonNullable<App['manifest']['pageMap']>['set']>[1]

/**
 * Loads a page. If the request only prepares its route, the component keeps the route and returns an empty template.
 */
async function loadPreparable(load: LoadPage): ReturnType<LoadPage> {
  const module = await load()
  const instance = await module.page()
  const component = instance.default
  const preparable: AstroComponentFactory = (result: SSRResult, props, slots) => {
    const locals: object = result.createAstro(props, slots).locals
    if (!isPreparation(locals)) return component(result, props, slots)
    const head = String(chunkToString(copyResult(result), renderHead()))
    locals.keepRoute({ result: withoutHead(copyResult(result)), head, component })
    return renderTemplate([] as unknown as TemplateStringsArray)
  }
  return {
    ...module,
    page: async () => ({ ...instance, default: Object.assign(preparable, component) }),
  }
}

function isPreparation(locals: object): locals is Preparation {
  return 'keepRoute' in locals
}

/** The compiler of components drops it. */
const DOCTYPE = '<!DOCTYPE html>'

async function renderPage(route: PreparedRoute, locals: PageLocals): Promise<readonly string[]> {
  const own = copyResult(route.result)
  const { _metadata: metadata } = own
  metadata.extraHead.push(route.head)
  // The cast is needed because Astro's type has the members that `PageAstro` refuses.
  own.createAstro = (props, slots) => new PageAstro(own, locals, props, slots ?? {}) as unknown as AstroGlobal
  const template = await route.component(own, {}, {})
  if (!('render' in template)) throw new Error('a page returned a response instead of its markup')
  const pieces = [DOCTYPE]
  await template.render({
    write: (chunk) => {
      if (!(chunk instanceof Response)) pieces.push(String(chunkToString(own, chunk)))
    },
  })
  return pieces
}

/** Removes the elements of the head. `renderPage` adds them again as one text in `extraHead`. */
function withoutHead({ _metadata: metadata, ...result }: SSRResult): SSRResult {
  const empty = { styles: new Set(), scripts: new Set(), links: new Set() } as const
  return { ...result, ...empty, _metadata: { ...metadata, extraHead: [] } } as SSRResult
}

/** Copies the collections that rendering a page adds to. */
function copyResult({ _metadata: metadata, ...others }: SSRResult): SSRResult {
  return { ...copyCollections(others), _metadata: copyCollections(metadata) }
}

function copyCollections<Owner extends object>(owner: Owner): Owner {
  const copy = { ...owner }
  for (const name in copy) {
    const value: unknown = copy[name]
    if (value instanceof Set) copy[name] = new Set(value) as Owner[typeof name]
    else if (Array.isArray(value)) copy[name] = [...value] as Owner[typeof name]
  }
  return copy
}
