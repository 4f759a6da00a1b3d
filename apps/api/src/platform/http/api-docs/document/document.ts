import { problem } from "@palisade/contract/errors/problem";
import { chapters } from "@palisade/contract/reference/chapters";
import { mountedPath, type RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { z } from "zod";
import { createExamples } from "./examples.ts";
import { introduction } from "./introduction.ts";
import type { GeneratedDocument, JsonSchema, PathItem } from "./openapi-types.ts";
import { describeOperation } from "./operation.ts";

/** Every route of the reference with its chapter, in reading order. */
export const referenceRoutes: readonly {
  readonly chapter: string;
  readonly route: RouteDefinition;
}[] = chapters.flatMap(({ name, families }) =>
  families
    .flatMap((family): RouteDefinition[] => Object.values(routes[family]))
    // Only payment providers call these: they sign what they send.
    .filter((route) => route.rawBody !== true)
    .map((route) => ({ chapter: name, route })),
);

/**
 * The OpenAPI document as it is served: the schemas of the mounted routes, and around them
 * everything that follows from the contract. It holds only the calls that customers may make.
 *
 * @param generated what @fastify/swagger made of the mounted routes
 * @param origin where this installation is reached, for code samples
 */
export function referenceDocument(generated: GeneratedDocument, origin: string) {
  const schemas = { ...generated.components?.schemas, Problem: problemSchema() };
  const examples = createExamples(schemas);
  const paths: Record<string, PathItem> = {};
  for (const { chapter, route } of referenceRoutes) {
    const path = mountedPath(route).replace(/:(\w+)/g, "{$1}");
    const method = route.method.toLowerCase();
    const operation = generated.paths?.[path]?.[method];
    if (operation === undefined) throw new Error(`${route.id} is not mounted`);
    paths[path] = {
      ...paths[path],
      [method]: describeOperation(operation, { route, chapter, origin, examples }),
    };
  }
  const info = introduction(
    origin,
    referenceRoutes.map(({ route }) => route),
  );
  return {
    openapi: "3.1.0",
    info,
    // The host the document came from, whatever name it was reached by.
    servers: [{ url: "/", description: "This installation" }],
    tags: chapters.map(({ name, description: text }) => ({ name, description: text })),
    paths: tidy(paths),
    components: { securitySchemes, schemas: tidy(referenced(paths, schemas)) },
  };
}

const securitySchemes = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "psk_...",
    description: "An API key of your account, from Profile → Security",
  },
  accessToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "pst_...",
    description: "The `access_token` of `POST /api/v1/auth/login`",
  },
} as const;

/**
 * No route answers it as a success, so the generated document need not have it. Made of its shape:
 * a schema with an id would be only a reference to itself.
 */
function problemSchema(): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(z.object(problem.shape));
  return schema as JsonSchema;
}

/** The schemas the paths need, directly or through another. */
function referenced(
  paths: unknown,
  schemas: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(
      /"#\/components\/schemas\/([^"]+)"/g,
    )) {
      if (found.has(name)) continue;
      found.add(name);
      visit(schemas[name] ?? {});
    }
  };
  visit(paths);
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([name]) => found.has(name))
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );
}

/** Without what says nothing to a reader: the range of safe integers, a pattern beside its format. */
function tidy(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(tidy);
  if (typeof part !== "object" || part === null) return part;
  const hasFormat = "format" in part;
  return Object.fromEntries(
    Object.entries(part)
      .filter(([key, value]) => !(key === "pattern" && hasFormat) && !isSafeBound(key, value))
      .map(([key, value]) => [key, tidy(value)]),
  );
}

function isSafeBound(key: string, value: unknown): boolean {
  return (
    (key === "minimum" || key === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
  );
}
