import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { credentialProblem } from "./credential-check.ts";

let folder: string;
let apiUrl: string;
const seen: { url: string | undefined; body: string }[] = [];
const api = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on("end", () => {
    seen.push({ url: request.url, body });
    const status = { "Bearer known": 200, "Bearer broken": 503 }[
      request.headers.authorization ?? ""
    ];
    response.writeHead(status ?? 401).end("{}");
  });
});
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "palisade-credential-"));
  api.listen(0, "127.0.0.1");
  await once(api, "listening");
  // A TCP server's address is an object.
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
afterAll(async () => {
  api.close();
  await rm(folder, { recursive: true, force: true });
});

async function problemOf(text: string, url = apiUrl): Promise<string | undefined> {
  const file = path.join(folder, "credential.json");
  await writeFile(file, text);
  return credentialProblem(url, "edge", file);
}

describe("the credential in a home", () => {
  test("that the database does not know is reported with its file, the cause and what to do", async () => {
    const problem = await problemOf('{"credential":"of-another-database"}');
    expect(problem).toMatch(/^edge: this database does not know the credential in .*json/);
    expect(problem).toMatch(
      /another or an older database.*revoked.*remove the file to enrol again/s,
    );
    expect(problem).not.toContain("of-another-database");
    expect(seen.at(-1)).toEqual({ url: "/edge/v1/acks", body: '{"version":0,"acks":[]}' });
  });

  test.each([
    ["is known", '{"credential":"known"}'],
    ["cannot be checked now", '{"credential":"broken"}'],
    ["is no credential", "not JSON"],
  ])("that %s causes no message", async (_, text) => {
    expect(await problemOf(text)).toBe(undefined);
  });

  test("causes no message when it is missing, or when the api does not answer", async () => {
    const none = path.join(folder, "nothing.json");
    expect(await credentialProblem(apiUrl, "dns", none)).toBe(undefined);
    expect(await problemOf('{"credential":"x"}', "http://127.0.0.1:1")).toBe(undefined);
  });
});
