/** The two ways of hosting the site. */

/**
 * `assets`: every page is a file, and a deployment has all of them. `objects`: the Worker serves one
 * object a seller, which builders push.
 */
export type Lane = 'assets' | 'objects'
