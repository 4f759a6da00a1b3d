import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * Whether a page of our own sent the form, as far as the browser says: it names the page's site and
 * origin, and a foreign page cannot change that.
 */
export function isOwnForm({ headers }: Pick<FastifyRequest, "headers">): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  const { origin, host } = headers;
  // HTTP/2 names the host in a field of its own.
  const own = host ?? headers[":authority"];
  return origin === undefined || URL.parse(origin)?.host === own;
}

const formBytesMax = 4_096;

/** Takes HTML forms in this scope; of several fields with a name the last one counts. */
export function takeForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: formBytesMax },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}
