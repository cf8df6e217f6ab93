/** An error answer of Cloudflare's API, with the codes on which wrangler branches. */
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

/** Source: `WORKER_NOT_FOUND_ERR_CODE` in wrangler. */
export function createNotFound(): ApiError {
  return new ApiError(404, 10007, 'This Worker does not exist on your account.')
}
