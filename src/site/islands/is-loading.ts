/** Returns whether the page is still arriving. Its last card may be incomplete then. */
export function isLoading(): boolean {
  return document.readyState === 'loading'
}
