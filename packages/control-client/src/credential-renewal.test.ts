import { join } from "node:path";
import { createFakeClock } from "@palisade/testing/fake-clock";
import { until } from "@palisade/testing/until";
import { expect, test } from "vitest";
import { createControlClient } from "./config-client.ts";
import { keepCredential, reloadCredential } from "./credential-renewal.ts";
import { readCredential, writeCredential, type Credential } from "./credential.ts";
import { startControlPlaneServer } from "./testing/control-plane-server.ts";
import { createLogRecorder, createTestFolder } from "./testing/recorder.ts";

async function createFixture() {
  const folder = await createTestFolder();
  const api = await startControlPlaneServer();
  const path = join(folder.path, "credential.json");
  const credential: Credential = {
    edge_id: api.nodeId,
    kind: "edge",
    location: "local",
    credential: api.credential,
  };
  await writeCredential(path, credential);
  const clock = createFakeClock();
  const log = createLogRecorder();
  const ending = new AbortController();
  const running = keepCredential({
    path,
    credential,
    call: createControlClient(api.url, credential),
    log,
    signal: ending.signal,
    now: clock.now,
    lookMs: 1,
  });
  return {
    path,
    credential,
    api,
    clock,
    log,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await running;
      await api.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("a credential without times is renewed at once, others when it is time", async () => {
  await using fixture = await createFixture();
  const { api, clock, path, credential } = fixture;
  await until(() => credential.renew_at !== undefined);
  expect(api.renewals).toHaveLength(1);
  expect(await readCredential(path)).toEqual(credential);
  clock.set(new Date(credential.renew_at ?? ""));
  await until(() => api.renewals.length > 1);
});

test("while the control plane is away the credential stays, and is renewed later", async () => {
  await using fixture = await createFixture();
  const { api, clock, path, credential } = fixture;
  await until(() => credential.renew_at !== undefined);
  api.fail("credential", 500);
  const before = { ...credential };
  clock.set(new Date(credential.renew_at ?? ""));
  const failures = api.failures();
  await until(() => api.failures() > failures + 1);
  expect(await readCredential(path)).toEqual(before);
});

test("the log is louder when little time is left, and says what to do when there is none", async () => {
  await using fixture = await createFixture();
  const { api, clock, credential, path, log } = fixture;
  await until(() => credential.expires_at !== undefined);
  const end = new Date(credential.expires_at ?? "").getTime();
  const newest = () => log.lines.at(-1);
  api.fail("credential", 401);
  clock.set(new Date(end - 15 * 86_400_000));
  await until(() => newest()?.level === "warn");
  clock.set(new Date(end - 13 * 86_400_000));
  await until(() => newest()?.level === "error");
  expect(newest()?.message).toContain("not renewed");
  clock.set(new Date(end));
  await until(() => newest()?.message.includes("has expired") === true);
  expect(newest()?.message).toContain(`Remove ${path}.`);
  expect(newest()?.message).toMatch(/edge invite.*--kind edge.*PALISADE_EDGE_TOKEN/);
});

test("a credential that another process of the edge has renewed is taken from the file", async () => {
  await using fixture = await createFixture();
  const { path, credential } = fixture;
  await until(() => credential.renew_at !== undefined);
  expect(await reloadCredential(path, credential)).toBe(false);
  await writeCredential(path, { ...credential, credential: "renewed elsewhere" });
  expect(await reloadCredential(path, credential)).toBe(true);
  expect(credential.credential).toBe("renewed elsewhere");
});
