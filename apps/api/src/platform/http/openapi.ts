import swagger from "@fastify/swagger";
import { basePaths } from "@palisade/contract/http/route";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";

export const openApiPath = `${basePaths.api}/openapi.json`;

/**
 * OpenAPI 3.1 of the whole contract, made from the mounted routes: what it says is what answers.
 * Register it before the routes.
 */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Palisade",
        version: "1",
        description:
          "Shields for game servers. Every error is `application/problem+json`; `code` is stable, `message` is text for people in the language of Accept-Language. `x-access` names who may call a route, `x-api-key-scope` what an API key needs.",
      },
      components: {
        securitySchemes: {
          accessToken: {
            type: "http",
            scheme: "bearer",
            description: "From POST /api/v1/auth/login",
          },
          apiKey: { type: "http", scheme: "bearer", description: "API key, `psk_...`" },
          edgeCredential: {
            type: "http",
            scheme: "bearer",
            description: "From POST /edge/v1/enrol",
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  let document: string | undefined;
  app.get(openApiPath, { schema: { hide: true } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply
      .type("application/json; charset=utf-8")
      .header("cache-control", "no-cache")
      .send(document);
  });
}
