import { promisify } from "node:util";
import { gzip } from "node:zlib";
import apiReference from "@scalar/fastify-api-reference";
import type { FastifyInstance } from "fastify";
import { referencePage, referenceScript } from "./reference-page.ts";

const prefix = "/api/docs";
const compress = promisify(gzip);

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

/**
 * The reference for people at /api/docs. The page is ours, since Scalar's own begins with an inline
 * script and names no language; its library comes from its package.
 */
export async function mountReference(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    let library: Promise<Buffer> | undefined;
    scope.addHook("onRequest", async (_request, reply) => {
      void reply.header("content-security-policy", policy);
    });
    // 4 MB as it comes: compressed once, on the first visit.
    scope.addHook("onSend", async (request, reply, payload) => {
      if (!request.url.endsWith("/scalar.js") || typeof payload !== "string") return payload;
      void reply.header("cache-control", "public, max-age=86400").header("vary", "accept-encoding");
      if (!/\bgzip\b/.test(String(request.headers["accept-encoding"]))) return payload;
      void reply.header("content-encoding", "gzip").removeHeader("content-length");
      return (library ??= compress(payload));
    });
    await scope.register(apiReference, {
      routePrefix: prefix,
      // Instead of its page; the rest of what it answers is its library.
      hooks: {
        preHandler(request, reply, done) {
          if (request.routeOptions.url !== `${prefix}/`) return done();
          void reply
            .type("text/html; charset=utf-8")
            .header("cache-control", "no-cache")
            .send(referencePage);
        },
      },
      configuration: { url: prefix },
    });
    scope.get(`${prefix}/page.js`, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .type("text/javascript; charset=utf-8")
        .header("cache-control", "no-cache")
        .send(referenceScript),
    );
  });
}
