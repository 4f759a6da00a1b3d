import { commonErrors, errorStatus } from "@palisade/contract/errors/codes";
import { problem } from "@palisade/contract/errors/problem";
import type { RouteDefinition } from "@palisade/contract/http/route";

/** What Fastify validates and serialises by, and what OpenAPI says of the route. */
export function routeSchema(definition: RouteDefinition): Record<string, unknown> {
  const statuses = [...commonErrors, ...definition.errors].map((code) => errorStatus[code]);
  const errors = Object.fromEntries(
    [...new Set(statuses)].map((status) => [
      status,
      { description: "Problem", content: { "application/problem+json": { schema: problem } } },
    ]),
  );
  return {
    operationId: definition.id,
    summary: definition.summary,
    tags: [definition.id.split(".")[0]],
    security: securityOf(definition),
    "x-access": definition.access,
    "x-api-key-scope": definition.apiKey,
    ...(definition.params ? { params: definition.params } : {}),
    ...(definition.querystring ? { querystring: definition.querystring } : {}),
    ...(definition.body ? { body: definition.body } : {}),
    response: { [definition.success]: definition.response, ...errors },
  };
}

function securityOf(definition: RouteDefinition): Record<string, string[]>[] {
  if (definition.access === "anonymous") return [];
  if (definition.access === "edge") return [{ edgeCredential: [] }];
  return definition.apiKey === "none"
    ? [{ accessToken: [] }]
    : [{ accessToken: [] }, { apiKey: [] }];
}
