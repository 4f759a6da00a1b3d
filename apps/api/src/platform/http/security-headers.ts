import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";
import { cspReportsPath } from "./csp-reports.ts";

/**
 * Headers for every answer. Scripts and styles come from our own files only; the tests of the
 * console fail on whatever this keeps from loading.
 * HSTS in production only: in development it would lock http://localhost out of the browser.
 */
export async function registerSecurityHeaders(
  app: FastifyInstance,
  options: { readonly development: boolean },
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", "blob:"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        reportUri: [cspReportsPath],
      },
    },
    strictTransportSecurity: options.development ? false : { maxAge: 31_536_000 },
    referrerPolicy: { policy: "same-origin" },
    xFrameOptions: { action: "deny" },
  });
  app.addHook("onRequest", async (_request, reply) => {
    void reply.header(
      "permissions-policy",
      "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    );
  });
}
