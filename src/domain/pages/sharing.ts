/** What a link to a page says of it before it is opened. */

export type Sharing = {
  readonly title: string
  readonly description: string
  /** Path of the page's own address; `null` keeps the page out of search engines. */
  readonly path: string | null
  /** Path of a picture of 1200 x 630 pixels, without a slash; `null` when there is none. */
  readonly picture: string | null
}
