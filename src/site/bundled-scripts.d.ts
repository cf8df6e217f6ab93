declare module '*?inline-script' {
  /** The markup of a minified classic script, for `set:html`. */
  const script: object
  export default script
}
declare module '*?deferred-module' {
  /** The module's address on the site. */
  const address: string
  export default address
}
