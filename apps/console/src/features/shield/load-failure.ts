import { msg } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";

const notFound = msg`Server not found. Redirecting to dashboard...`;

const texts: Record<number, MessageDescriptor> = {
  403: msg`Access denied to this server. Redirecting to dashboard...`,
  404: notFound,
  410: msg`Server has been deleted. Redirecting to dashboard...`,
  // An address that is no id at all.
  422: notFound,
};

/**
 * What to say before leaving for the dashboard, or null where another try may help: a lost
 * connection must not throw people off the page they watch.
 */
export function finalFailure(status: number | null): MessageDescriptor | null {
  if (status === null || status === 0 || status === 429 || status >= 500) return null;
  return texts[status] ?? msg`Failed to load server. Redirecting to dashboard...`;
}

export const deletedText = texts[410] ?? notFound;
