declare module '*?inline-script' {
  /** The code of a minified classic script, for `set:html`. */
  const script: string
  export default script
}
declare module '*?deferred-module' {
  /** The module's address on the site. */
  const address: string
  export default address
}
