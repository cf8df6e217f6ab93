/** What Lighthouse measures: all categories, on its own slow phone. */
export default {
  extends: 'lighthouse:default',
  settings: { onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'] },
}
