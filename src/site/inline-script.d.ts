declare module '*?inline-script' {
  /** A classic script, minified. */
  const code: string
  export default code
}
