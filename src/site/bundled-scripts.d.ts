declare module '*?inline-script' {
  /** A classic script, minified. */
  const code: string
  export default code
}
declare module '*?deferred-module' {
  /** The module's address on the site. */
  const address: string
  export default address
}
