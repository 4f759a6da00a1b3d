import type { RouteDefinition } from "@palisade/contract/http/route";
import { allRoutes } from "@palisade/contract/http/routes";

/** Paths that refuse a stale write: a read of the same path carries the version to compare. */
const versionedPaths = new Set(allRoutes.filter(refusesStale).map(({ path }) => path));

export function carriesEtag(route: RouteDefinition): boolean {
  return route.versioned === true || versionedPaths.has(route.path);
}

export function refusesStale({ errors }: Pick<RouteDefinition, "errors">): boolean {
  return errors.includes("precondition_failed");
}

const text = { type: "string" };

/** Headers the route takes. */
export function headerParameters(route: RouteDefinition) {
  return [
    ...(route.idempotent === true
      ? [
          {
            name: "Idempotency-Key",
            in: "header",
            required: false,
            description:
              "1 to 200 visible ASCII characters of your choice. The same key and body within a day get the same answer again; another body is 422 `idempotency_mismatch`.",
            schema: text,
          },
        ]
      : []),
    ...(route.conditional === true
      ? [
          {
            name: "If-None-Match",
            in: "header",
            required: false,
            description:
              "The `ETag` of an earlier answer: 304 without a body where it still holds.",
            schema: text,
          },
        ]
      : []),
    ...(refusesStale(route)
      ? [
          {
            name: "If-Match",
            in: "header",
            required: false,
            description:
              "The `ETag` your change is based on. 412 `precondition_failed` when another person has changed it since.",
            schema: text,
          },
        ]
      : []),
  ];
}

const requestId = { description: "Quote it to support", schema: text };

export function successHeaders(route: RouteDefinition) {
  return {
    "X-Request-Id": requestId,
    ...(carriesEtag(route)
      ? { ETag: { description: "Version of the settings, for `If-Match`", schema: text } }
      : {}),
  };
}

const seconds = { type: "integer" };

/** Headers of a refusal, by status. */
export function problemHeaders(status: number) {
  return {
    "X-Request-Id": requestId,
    ...(status === 429 || status === 503
      ? { "Retry-After": { description: "Seconds until another try makes sense", schema: seconds } }
      : {}),
    ...(status === 401
      ? { "WWW-Authenticate": { description: "Always `Bearer`", schema: text } }
      : {}),
  };
}
