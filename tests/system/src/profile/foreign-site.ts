import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { mountedPath, type RouteDefinition } from "@palisade/contract/http/route";
import type { Page } from "playwright-core";

export interface ForeignSite {
  readonly port: number;
  end(): Promise<void>;
}

/** Another site's server; each of its pages can attack. */
export async function startForeignSite(): Promise<ForeignSite> {
  const html = await readFile(path.join(import.meta.dirname, "foreign-page.html"));
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a TCP server");
  return {
    port: address.port,
    async end() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export interface Attempt {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

export function attemptOn(route: RouteDefinition, origin: string, body: unknown): Attempt {
  const url = origin + mountedPath(route).replaceAll(/:\w+/g, "0");
  return { method: route.method, url, body };
}

/** Has the foreign page try each call in every way it has; resolves with what it could read. */
export function attack(page: Page, attempts: readonly Attempt[]): Promise<string[]> {
  return page.evaluate<string[]>(`attack(${JSON.stringify(attempts)})`);
}
