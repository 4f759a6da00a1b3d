import swagger from "@fastify/swagger";
import { basePaths } from "@palisade/contract/http/route";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { referenceDocument } from "./document/document.ts";
import type { GeneratedDocument } from "./document/openapi-types.ts";

export const openApiPath = `${basePaths.api}/openapi.json`;

/**
 * OpenAPI 3.1 of the contract, made from the mounted routes: what it says is what answers.
 * Register it before the routes.
 *
 * @param origin where this installation is reached, for code samples
 */
export async function mountOpenApi(app: FastifyInstance, origin: () => string): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: "3.1.0", info: { title: "Palisade API", version: "1" } },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  let served: { readonly origin: string; readonly text: string } | undefined;
  app.get(openApiPath, { schema: { hide: true } }, async (_request, reply) => {
    const now = origin();
    if (served?.origin !== now) {
      // It is told by the schemas of the routes, which are all mounted by now.
      const generated = app.swagger() as unknown as GeneratedDocument;
      served = { origin: now, text: JSON.stringify(referenceDocument(generated, now)) };
    }
    return reply
      .type("application/json; charset=utf-8")
      .header("cache-control", "no-cache")
      .send(served.text);
  });
}
