/** An error response of Cloudflare's API. wrangler branches on `code`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: number

  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Source of the code: `WORKER_NOT_FOUND_ERR_CODE` in wrangler. */
export function createNotFound(): ApiError {
  return new ApiError(404, 10007, 'This Worker does not exist on your account.')
}
