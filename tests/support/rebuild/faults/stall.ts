/** Preload for a command: no rendered page ever settles. */
const WEB = 'rendererWeb'
const classes: Record<string, unknown> = {}

// The host of the renderer defines its classes there before it loads the renderer, whose first request waits for a response.
Object.defineProperty(globalThis, WEB, {
  get: () => classes[WEB],
  set: (web: { readonly Response: new () => object }) => {
    const construct = (): Promise<never> => new Promise(() => {})
    classes[WEB] = { ...web, Response: new Proxy(web.Response, { construct }) }
  },
})
