/** Returns whether the browser is still receiving the page. Meanwhile, the last card may be incomplete. */
export function isLoading(): boolean {
  return document.readyState === 'loading'
}
