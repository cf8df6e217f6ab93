/**
 * Adds CSS to the page, as one rule of its last style sheet: the content security policy allows no new style element,
 * and old browsers cannot construct sheets.
 */
export function addStyle(text: string): void {
  const sheet = document.styleSheets[document.styleSheets.length - 1]
  sheet?.insertRule(`@media all{${text}}`, sheet.cssRules.length)
}
