import { promisify } from "node:util";
import { gzip } from "node:zlib";
import swagger from "@fastify/swagger";
import { basePaths } from "@palisade/contract/http/route";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { referenceDocument } from "./document/document.ts";
import type { GeneratedDocument } from "./document/openapi-types.ts";

export const openApiPath = `${basePaths.api}/openapi.json`;

/**
 * OpenAPI 3.1 of the contract, made from the mounted routes, so that it describes what answers.
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
  let served: ServedDocument | undefined;
  app.get(openApiPath, { schema: { hide: true } }, async (request, reply) => {
    const now = origin();
    if (served?.origin !== now) {
      // The schemas of the routes make it, which are all mounted by now.
      const generated = app.swagger() as unknown as GeneratedDocument;
      const text = JSON.stringify(referenceDocument(generated, now));
      served = { origin: now, text, zipped: await promisify(gzip)(text) };
    }
    void reply
      .type("application/json; charset=utf-8")
      .header("cache-control", "no-cache")
      .header("vary", "accept-encoding");
    if (!/\bgzip\b/.test(String(request.headers["accept-encoding"])))
      return reply.send(served.text);
    return reply.header("content-encoding", "gzip").send(served.zipped);
  });
}

interface ServedDocument {
  readonly origin: string;
  readonly text: string;
  readonly zipped: Buffer;
}
