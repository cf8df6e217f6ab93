/** Loaded first by a command: no page that is rendered ever comes to its end. */
let web: object | undefined

// The renderer's host puts its classes there before it loads the renderer.
Object.defineProperty(globalThis, 'rendererWeb', {
  get: () => web,
  set: (classes: { readonly Response: { readonly prototype: object } }) => {
    Object.assign(classes.Response.prototype, { bytes: () => new Promise(() => {}) })
    web = classes
  },
})

export {}
