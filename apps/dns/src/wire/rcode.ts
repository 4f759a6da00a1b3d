/**
 * Response codes, RFC 1035 section 4.1.1, RFC 2136 section 2.2 and (badVersion, in two parts)
 * RFC 6891.
 */
export const rcode = {
  noError: 0,
  formatError: 1,
  serverFailure: 2,
  noSuchName: 3,
  notImplemented: 4,
  refused: 5,
  notAuthoritative: 9,
  notZone: 10,
  badVersion: 16,
} as const;
