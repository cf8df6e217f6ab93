/** The data of a page's link preview. */

export type Sharing = {
  readonly title: string
  readonly description: string
  /** Canonical path of the page; `null` excludes the page from search engines. */
  readonly path: string | null
  /** Path of a picture of 1200 x 630 pixels, without a slash; `null` when there is none. */
  readonly picture: string | null
}
