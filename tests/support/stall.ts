/** Preload for a command: no rendered page ever settles. */
const WEB = 'rendererWeb'
const classes: Record<string, unknown> = {}

// The host of the renderer defines its classes there before it loads the renderer.
Object.defineProperty(globalThis, WEB, {
  get: () => classes[WEB],
  set: (web: { readonly Response: { readonly prototype: object } }) => {
    Object.assign(web.Response.prototype, { text: () => new Promise(() => {}) })
    classes[WEB] = web
  },
})
