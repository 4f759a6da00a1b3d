/** Response codes, RFC 1035 section 4.1.1 and (badVersion, in two parts) RFC 6891. */
export const rcode = {
  noError: 0,
  formatError: 1,
  serverFailure: 2,
  noSuchName: 3,
  notImplemented: 4,
  refused: 5,
  badVersion: 16,
} as const;
