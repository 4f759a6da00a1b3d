import { once } from "node:events";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { startImpairmentProxy } from "@palisade/testing/impairment-proxy";
import { until } from "@palisade/testing/until";
import { describe, expect, test } from "vitest";
import { writeCredential } from "./credential.ts";
import { ensureCredential, EnrolmentError, type EnrolmentOptions } from "./enrol.ts";
import { startControlPlaneServer } from "./testing/control-plane-server.ts";
import { createLogRecorder, createTestFolder } from "./testing/recorder.ts";

function optionsFor(path: string, apiUrl: string, token: string | undefined): EnrolmentOptions {
  return {
    path,
    apiUrl,
    token,
    kind: "edge",
    addresses: ["203.0.113.7"],
    log: createLogRecorder(),
    signal: new AbortController().signal,
    retry: { baseMs: 5, capMs: 20 },
  };
}

describe("enrolment", () => {
  test("exchanges the token once and stores the credential for its owner only", async () => {
    await using folder = await createTestFolder();
    const api = await startControlPlaneServer();
    const path = join(folder.path, "edge", "credential.json");
    const first = await ensureCredential(optionsFor(path, api.url, api.token));
    expect(first.credential).toBe(api.credential);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(api.enrolments).toEqual([{ token: api.token, addresses: ["203.0.113.7"] }]);
    await api.close();
    // A restart needs neither the token nor the api.
    expect(await ensureCredential(optionsFor(path, api.url, undefined))).toEqual(first);
  });

  test("that is refused names the fix and does not try again", async () => {
    await using folder = await createTestFolder();
    const api = await startControlPlaneServer();
    const path = join(folder.path, "credential.json");
    const attempt = ensureCredential(optionsFor(path, api.url, "a-token-of-another-owner"));
    await expect(attempt).rejects.toThrow(EnrolmentError);
    await expect(attempt).rejects.toThrow(/unknown, used or expired.*edge invite.*--kind edge/s);
    await expect(attempt).rejects.not.toThrow(/a-token-of-another-owner/);
    await api.close();
  });

  test("follows no redirect: the token goes to the configured address only", async () => {
    await using folder = await createTestFolder();
    const other = await startControlPlaneServer();
    let redirects = 0;
    const server = createServer((request, answer) => {
      redirects += 1;
      answer.writeHead(307, { location: `${other.url}${request.url}` }).end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const ending = new AbortController();
    const path = join(folder.path, "credential.json");
    const attempt = ensureCredential({
      ...optionsFor(path, `http://127.0.0.1:${port}`, other.token),
      signal: ending.signal,
    });
    await until(() => redirects > 1);
    ending.abort();
    await expect(attempt).rejects.toThrow(/abort|HTTP 0/i);
    expect(other.enrolments).toEqual([]);
    server.close();
    server.closeAllConnections();
    await other.close();
  });

  test("without token and credential names the setting", async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, "credential.json");
    await expect(
      ensureCredential(optionsFor(path, "http://127.0.0.1:9", undefined)),
    ).rejects.toThrow(/PALISADE_EDGE_TOKEN is not set.*edge invite/s);
  });

  test("with a credential of another kind reports it", async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, "credential.json");
    const edge_id = "0198f000-0000-7000-8000-0000000000ed";
    await writeCredential(path, { edge_id, kind: "dns", location: "local", credential: "secret" });
    await expect(
      ensureCredential(optionsFor(path, "http://127.0.0.1:9", undefined)),
    ).rejects.toThrow(/"dns".*needs "edge"/s);
  });

  test("waits for a control plane that cannot be reached yet", async () => {
    await using folder = await createTestFolder();
    const api = await startControlPlaneServer();
    const proxy = await startImpairmentProxy({ host: "127.0.0.1", port: api.port });
    api.fail("enrol", 503);
    const options = optionsFor(
      join(folder.path, "credential.json"),
      `http://127.0.0.1:${proxy.port}`,
      api.token,
    );
    const log = createLogRecorder();
    const attempt = ensureCredential({ ...options, log });
    await until(() => log.lines.length === 1, { what: "the waiting line" });
    api.fail("enrol", null);
    expect((await attempt).credential).toBe(api.credential);
    await proxy.close();
    await api.close();
  });
});
