import { oneOf, searchOf, text, wholeNumber } from "#src/lib/search-params.ts";

const methods = { GET: true, POST: true, PUT: true, DELETE: true, CLI: true };
export type AuditMethod = keyof typeof methods;

/** The search parameters of the audit log. Invalid values are left out. */
export const auditSearch = searchOf({
  page: wholeNumber(1, 1_000_000),
  endpoint: text(200),
  method: oneOf(methods),
  status: wholeNumber(100, 599),
  days: wholeNumber(1, 365),
});

export type AuditSearch = ReturnType<typeof auditSearch>;
