import { msg } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";

const notFound = msg`Server not found. Redirecting to dashboard...`;

const texts: Record<number, MessageDescriptor> = {
  403: msg`Access denied to this server. Redirecting to dashboard...`,
  404: notFound,
  410: msg`Server has been deleted. Redirecting to dashboard...`,
  // The address holds no valid id.
  422: notFound,
};

/**
 * The message before the redirect to the dashboard. Null if another try may help: a lost connection
 * must not take users off the page.
 */
export function finalFailure(status: number | null): MessageDescriptor | null {
  if (status === null || status === 0 || status === 429 || status >= 500) return null;
  return texts[status] ?? msg`Failed to load server. Redirecting to dashboard...`;
}

export const deletedText = texts[410] ?? notFound;
