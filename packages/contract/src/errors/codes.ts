/**
 * Stable error codes of every API answer, with the HTTP status each one travels
 * under. The human text of a code is in `texts/` under `error.<code>`.
 */
export const errorStatus = {
  bad_request: 400,
  unauthenticated: 401,
  credential_expired: 401,
  insufficient_funds: 402,
  forbidden: 403,
  plan_required: 403,
  plan_limit: 403,
  email_unverified: 403,
  step_up_required: 403,
  two_factor_required: 403,
  not_found: 404,
  conflict: 409,
  plan_unavailable: 409,
  price_changed: 409,
  payment_unavailable: 409,
  server_not_active: 409,
  default_group: 409,
  last_group: 409,
  pool_exhausted: 409,
  idempotency_in_progress: 409,
  schema_unsupported: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  invalid_credentials: 422,
  invalid_code: 422,
  email_taken: 422,
  username_taken: 422,
  domain_in_use: 422,
  domain_exists: 422,
  cname_not_reserved: 422,
  location_unavailable: 422,
  promo_invalid: 422,
  daily_limit: 422,
  entry_exists: 422,
  list_full: 422,
  backend_exists: 422,
  group_full: 422,
  idempotency_mismatch: 422,
  enrolment_refused: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Codes any route may answer; the contract lists only what comes on top. */
export const commonErrors = [
  "bad_request",
  "validation_failed",
  "rate_limited",
  "payload_too_large",
  "unsupported_media_type",
  "internal",
  "unavailable",
] as const satisfies readonly ErrorCode[];
