import type { FastifyInstance } from "fastify";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { addressMatcher, parseAddress } from "./client-address.ts";

/** For the monitors of a cluster, which ask each machine itself. They tell nothing. */
const probes: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz"]);

/**
 * A proxy encrypts. This refuses everyone who reaches the port beside it, because they would
 * send passwords and tokens unencrypted. This machine and trusted proxies are served.
 */
export async function requireProxy(
  app: FastifyInstance,
  trustedProxies: readonly string[],
): Promise<void> {
  const isServed = addressMatcher(["127.0.0.0/8", "::1", ...trustedProxies]);
  app.addHook("onRequest", async ({ raw, routeOptions }) => {
    const address = parseAddress(raw.socket.remoteAddress ?? "");
    if (address !== undefined && isServed(address)) return;
    if (probes.has(routeOptions.url)) return;
    throw new DomainError("bad_request", { text: "https_only" });
  });
}
