import { randomBytes } from "node:crypto";
import apiReference from "@scalar/fastify-api-reference";
import type { FastifyInstance } from "fastify";
import { openApiPath } from "./openapi.ts";

/**
 * The reference for people at /api/docs. Its page starts with one inline script, which our policy
 * forbids; here it runs by a nonce. The page repeats nothing a caller sent, so one nonce will do.
 * No font, script or request leaves this host.
 */
export async function mountReference(app: FastifyInstance): Promise<void> {
  const nonce = randomBytes(16).toString("base64url");
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  await app.register(apiReference, {
    routePrefix: "/api/docs",
    configuration: {
      url: openApiPath,
      pageTitle: "Palisade API",
      nonce,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: "never",
      agent: { disabled: true },
      mcp: { disabled: true },
    },
    hooks: {
      onRequest(_request, reply, done) {
        void reply.header("content-security-policy", policy);
        done();
      },
    },
  });
}
