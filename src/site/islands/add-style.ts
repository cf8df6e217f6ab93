/**
 * Adds style to the page. The policy allows no style element that is not of this page, and old browsers cannot construct
 * sheets, so it becomes one rule of the page's last sheet.
 */
export function addStyle(text: string): void {
  const sheet = document.styleSheets[document.styleSheets.length - 1]
  sheet?.insertRule(`@media all{${text}}`, sheet.cssRules.length)
}
