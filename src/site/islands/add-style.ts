/**
 * Adds CSS to the page as one rule of the page's last `style` element: the content security policy forbids new style
 * elements, and old browsers cannot construct sheets. The last style sheet may be one that an extension or the browser's
 * translation has linked, whose rules no script may read.
 */
export function addStyle(text: string): void {
  const styles = document.querySelectorAll('style')
  const sheet = styles[styles.length - 1]?.sheet
  sheet?.insertRule(`@media all{${text}}`, sheet.cssRules.length)
}
