/** The Worker's entry. Pages and files are static assets, served without it; only `/api/*` comes here. */

const NOT_FOUND = { error: 'not found' }

export default {
  fetch(): Response {
    return Response.json(NOT_FOUND, { status: 404 })
  },
}
