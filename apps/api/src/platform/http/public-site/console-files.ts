import { existsSync } from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import { isConsolePage } from "@palisade/contract/console-paths";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Below these an unknown path is an error for a program; elsewhere it is an unknown page. */
const programPaths = /^\/(api|edge|dev|sandbox|assets|healthz|readyz|metrics)(\/|$)/;
/** The build writes plain names; nothing else is looked for on disk. */
const fileName = /^(\/[\w@-][\w.@-]{0,199}){1,8}$/;
const oneYearSeconds = 31_536_000;
const consolePage = "index.html";
/** The landing pages have routes of their own, which fill in the operator. */
export const landingFolder = "landing";

/**
 * Serves the built console. Files below assets/ carry a hash in their name and never change;
 * browsers ask for pages anew each time, so that these name the newest files.
 */
export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(path.join(folder, consolePage))) {
    app.log.warn({ folder }, "The console is not built; only the API is served");
    return;
  }
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders(reply, file) {
      const isHashed = path.relative(folder, file).startsWith(`assets${path.sep}`);
      void reply.header(
        "cache-control",
        isHashed ? `public, max-age=${oneYearSeconds}, immutable` : "no-cache",
      );
    },
  });
  app.get("/*", { schema: { hide: true } }, (request, reply) => {
    const pathname = pathOf(request);
    const isFile = fileName.test(pathname) && !pathname.startsWith(`/${landingFolder}/`);
    if (isFile) void reply.sendFile(pathname.slice(1));
    else reply.callNotFound();
  });
}

/**
 * Answers a path that is no file with the console's page, whose router knows the pages, except to
 * programs. @returns false when the request is not for a page
 */
export function answerWithPage(request: FastifyRequest, reply: FastifyReply): boolean {
  if (!reply.server.hasReplyDecorator("sendFile") || !isPageRequest(request)) return false;
  void reply.code(isConsolePage(pathOf(request)) ? 200 : 404).sendFile(consolePage);
  return true;
}

/** Whether its route serves pages, or files that pages need, and not answers to programs. */
export function isForVisitors(request: FastifyRequest): boolean {
  return isRead(request) && !programPaths.test(request.routeOptions.url ?? "");
}

/** Clients that name no type (curl, monitors, link previews) want the page as a browser does. */
function isPageRequest(request: FastifyRequest): boolean {
  const { accept = "" } = request.headers;
  return (
    isRead(request) &&
    !programPaths.test(pathOf(request)) &&
    (accept.includes("text/html") || !accept.includes("json"))
  );
}

function isRead({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD";
}

function pathOf(request: FastifyRequest): string {
  return request.url.replace(/[?#].*$/s, "");
}
