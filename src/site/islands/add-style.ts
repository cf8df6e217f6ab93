/**
 * Adds CSS to the page as one rule of the page's last style sheet: the content security policy forbids new style
 * elements, and old browsers cannot construct sheets.
 */
export function addStyle(text: string): void {
  const sheet = document.styleSheets[document.styleSheets.length - 1]
  sheet?.insertRule(`@media all{${text}}`, sheet.cssRules.length)
}
