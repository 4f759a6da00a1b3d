import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { pickLocale } from "@palisade/contract/texts/locale";
import type { StubApi, StubFile, StubRequest } from "./stub-api/stub-api.ts";

const dist = path.resolve(import.meta.dirname, "../../../apps/console/dist");

/** As the api sends it: what this keeps from loading shows up as an error of the page. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "img-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  ...["script", "style", "font", "connect", "manifest", "worker"].map(
    (kind) => `${kind}-src 'self'`,
  ),
].join(";");

const contentTypes = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".svg", "image/svg+xml"],
  [".woff2", "font/woff2"],
  [".png", "image/png"],
  [".txt", "text/plain; charset=utf-8"],
  [".webmanifest", "application/manifest+json"],
]);

const landingPages = new Map([
  ["/", "index"],
  ["/terms", "terms"],
  ["/privacy", "privacy"],
]);
const operator = {
  name: "Example Networks GmbH",
  address: "Main Street 1, 10115 Berlin, Germany",
  email: "support@example.com",
  discord: "https://discord.gg/example",
  source: "https://git.example.com/palisade",
};

export interface ConsoleServer {
  readonly url: string;
  close(): Promise<void>;
}

/** The built console and the stub api, on one origin of loopback. */
export async function startConsoleServer(api: StubApi): Promise<ConsoleServer> {
  const server = createServer((request, response) => {
    serve(api, request, response).catch((error: unknown) => {
      api.violations.push(`${request.method} ${request.url}: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return {
    // Browsers offer passkeys for a domain only.
    url: `http://localhost:${address.port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(
  api: StubApi,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://console");
  if (pathname === "/healthz") return void response.end("ok");
  const landing = landingPages.get(pathname);
  if (landing !== undefined) return serveLanding(landing, request, response);
  if (!pathname.startsWith("/api/")) return servePage(pathname, response);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const answer = await api.answer({
    method: request.method ?? "GET",
    pathname,
    query: Object.fromEntries(searchParams),
    headers,
    ...(await readBody(request, headers["content-type"])),
  });
  if (answer === "cut") return void request.socket.destroy();
  response.writeHead(answer.status, {
    "content-type": answer.contentType,
    // The browser would keep a 410 of one test for the next.
    "cache-control": "no-store",
    ...(answer.etag !== undefined && { etag: answer.etag }),
  });
  response.end(answer.body);
}

/** In the language of the browser; an operator's name stands where the api puts it. */
async function serveLanding(
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const locale = pickLocale(request.headers["accept-language"]);
  const html = await readFile(path.join(dist, "landing", `${name}.${locale}.html`), "utf8");
  response.writeHead(200, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentSecurityPolicy,
  });
  const json = JSON.stringify(operator).replaceAll('"', "&quot;");
  const values = new Map<string, string>(Object.entries(operator));
  response.end(
    html
      .replaceAll(/__operator_(\w+?)__/g, (_, field: string) => values.get(field) ?? "")
      .replace('name="operator" content=""', () => `name="operator" content="${json}"`),
  );
}

async function servePage(pathname: string, response: ServerResponse): Promise<void> {
  const extension = path.extname(pathname);
  const type = contentTypes.get(extension);
  const isHashed = pathname.startsWith("/assets/");
  const file = path.join(dist, type === undefined ? "index.html" : path.normalize(pathname));
  const content = await readFile(file).catch(() => undefined);
  if (content === undefined) return void response.writeHead(404).end();
  response.writeHead(200, {
    "content-type": type ?? "text/html; charset=utf-8",
    "content-security-policy": contentSecurityPolicy,
    "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
  });
  response.end(content);
}

async function readBody(
  request: IncomingMessage,
  type = "",
): Promise<Pick<StubRequest, "body" | "files">> {
  const bytes = await buffer(request);
  if (bytes.length === 0) return { body: undefined };
  if (!type.startsWith("multipart/form-data")) return { body: JSON.parse(bytes.toString()) };
  const form = await new Response(new Uint8Array(bytes), {
    headers: { "content-type": type },
  }).formData();
  const body: Record<string, unknown> = {};
  const files: StubFile[] = [];
  for (const [key, value] of form) {
    const [, group = "", name] = /^(\w+)(?:\[(\w+)\])?$/.exec(key) ?? [];
    if (group === "attachments" && typeof value !== "string") files.push(await fileOf(value));
    else if (name === undefined) body[group] = value;
    else {
      const fields = (body[group] ??= {}) as Record<string, unknown>;
      fields[name] = typeof value === "string" ? value : await dataUri(value);
    }
  }
  return { body, files };
}

async function fileOf(file: File): Promise<StubFile> {
  const bytes = Buffer.from(await file.arrayBuffer());
  return { name: file.name, type: file.type, bytes };
}

async function dataUri(file: Blob): Promise<string> {
  return `data:${file.type};base64,${Buffer.from(await file.arrayBuffer()).toString("base64")}`;
}
