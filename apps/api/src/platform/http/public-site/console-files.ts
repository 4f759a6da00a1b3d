import { existsSync } from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Where pages never are: an unknown path there is an error for a program, not a page. */
const programPaths = /^\/(api|edge|dev|sandbox|assets|healthz|readyz|metrics)(\/|$)/;
const oneYearSeconds = 31_536_000;
export const consolePage = "index.html";
/** Its pages are served at addresses of their own, filled in. */
export const landingFolder = "landing";

/**
 * Serves the built console. Files below assets/ carry a hash in their name and never change;
 * pages are asked for anew each time, so that they name the newest ones.
 */
export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(path.join(folder, consolePage))) {
    app.log.warn({ folder }, "The console is not built; only the API is served");
    return;
  }
  await app.register(fastifyStatic, {
    root: folder,
    cacheControl: false,
    preCompressed: true,
    allowedPath: (pathname) => !pathname.startsWith(`/${landingFolder}/`),
    setHeaders(reply, file) {
      const isHashed = path.relative(folder, file).startsWith(`assets${path.sep}`);
      void reply.header(
        "cache-control",
        isHashed ? `public, max-age=${oneYearSeconds}, immutable` : "no-cache",
      );
    },
  });
}

/** A page's address opened in the browser: the console's router knows it, the server does not. */
export function isPageRequest(request: FastifyRequest): boolean {
  const [pathname = "/"] = request.url.split("?");
  return (
    (request.method === "GET" || request.method === "HEAD") &&
    !programPaths.test(pathname) &&
    (request.headers.accept ?? "").includes("text/html")
  );
}
