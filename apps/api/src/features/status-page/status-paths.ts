import { statusPath } from "@palisade/contract/console-paths";

/** Addresses of the status page and what belongs to it. */
export const statusPaths = {
  page: statusPath,
  json: "/status.json",
  feed: "/status/feed.xml",
  subscriptions: "/status/subscriptions",
  subscription: "/status/subscription",
  script: "/status/subscription.js",
} as const;

/** Browsers do not send the fragment, so no log holds the token. */
export function subscriptionLink(origin: string, token: string): string {
  return `${origin}${statusPaths.subscription}#token=${token}`;
}
