import type { RouteDefinition } from "@palisade/contract/http/route";

/** What Fastify validates and serialises by, and what OpenAPI takes the shapes from. */
export function routeSchema(definition: RouteDefinition): Record<string, unknown> {
  return {
    operationId: definition.id,
    ...(definition.params ? { params: definition.params } : {}),
    ...(definition.querystring ? { querystring: definition.querystring } : {}),
    ...(definition.body ? { body: definition.body } : {}),
    response: { [definition.success]: definition.response },
  };
}
