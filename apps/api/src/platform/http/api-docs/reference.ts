import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { fastify, type FastifyInstance } from "fastify";
import { referencePage, referenceScript } from "./reference-page.ts";

const prefix = "/api/docs";

/** Scalar sets styles from its script; nothing leaves this host, a tried-out call included. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const hidden = { schema: { hide: true } };
const scriptType = "text/javascript; charset=utf-8";

/**
 * The reference for people at /api/docs. The page is ours, since Scalar's own begins with an inline
 * script and names no language; its library comes from its package.
 */
export async function mountReference(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    let library: Promise<Library> | undefined;
    scope.addHook("onRequest", async (_request, reply) => {
      void reply.header("content-security-policy", policy);
    });
    scope.get(prefix, hidden, async (_request, reply) => reply.redirect(`${prefix}/`, 301));
    scope.get(`${prefix}/`, hidden, async (_request, reply) =>
      reply
        .type("text/html; charset=utf-8")
        .header("cache-control", "no-cache")
        .send(referencePage),
    );
    scope.get(`${prefix}/page.js`, hidden, async (_request, reply) =>
      reply.type(scriptType).header("cache-control", "no-cache").send(referenceScript),
    );
    scope.get(`${prefix}/js/scalar.js`, hidden, async (request, reply) => {
      const { plain, compressed } = await (library ??= readLibrary());
      void reply
        .type(scriptType)
        .header("cache-control", "public, max-age=86400")
        .header("vary", "accept-encoding");
      if (!/\bgzip\b/.test(String(request.headers["accept-encoding"]))) return plain;
      void reply.header("content-encoding", "gzip");
      return compressed;
    });
  });
}

interface Library {
  readonly plain: Buffer;
  readonly compressed: Buffer;
}

/**
 * 4 MB, compressed once, on the first visit. The package has the library as a text in its plugin,
 * which takes a tenth of the api's start to load and says it by its route only.
 */
async function readLibrary(): Promise<Library> {
  const { default: apiReference } = await import("@scalar/fastify-api-reference");
  const scratch = fastify();
  await scratch.register(apiReference, { routePrefix: "/reference", configuration: { url: "/" } });
  const { rawPayload } = await scratch.inject({ url: "/reference/js/scalar.js" });
  await scratch.close();
  return { plain: rawPayload, compressed: await promisify(gzip)(rawPayload) };
}
