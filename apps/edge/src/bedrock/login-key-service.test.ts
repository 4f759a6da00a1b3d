import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { SampledLog } from "#src/telemetry/login-log.ts";
import { LoginKeyService } from "./login-key-service.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const key = (kid: string) => ({ kty: "RSA", use: "sig", kid, n: "AQAB", e: "AQAB" });

/** A service whose answers a test may change. */
async function startService() {
  const state = { keys: [key("1")] as unknown, status: 200, place: "", calls: 0 };
  const listener: RequestListener = (request, response) => {
    state.calls += 1;
    const isAbout = request.url === "/.well-known/openid-configuration";
    const about = { issuer: "https://issuer.example/", jwks_uri: state.place };
    response.statusCode = state.status;
    response.end(JSON.stringify(isAbout ? about : { keys: state.keys }));
  };
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  state.place = `${url}/keys`;
  return { url, state };
}

function follow(url: string) {
  const clock = { ms: 0 };
  const failures: string[] = [];
  const log = new SampledLog(pino({ level: "info" }, { write: (line) => failures.push(line) }));
  const service = new LoginKeyService({ url, monotonicMs: () => clock.ms, log });
  const kids = () => service.keys.service?.keys.map(({ kid }) => kid);
  /** The lines of a second are written at its end. */
  const failed = () => {
    log.tick();
    return failures.length;
  };
  return { service, clock, kids, failed };
}

test("the keys are fetched once, again after an hour, and stay when the service fails", async () => {
  const { url, state } = await startService();
  const { service, clock, kids, failed } = follow(url);
  service.tick();
  service.tick();
  await until(() => kids() !== undefined);
  expect(service.keys.service?.issuer).toBe("https://issuer.example/");
  expect(state.calls).toBe(2);
  state.keys = [key("2")];
  clock.ms = 3_599_999;
  service.tick();
  expect(kids()).toEqual(["1"]);
  clock.ms = 3_600_000;
  service.tick();
  await until(() => kids()?.[0] === "2");
  state.status = 503;
  clock.ms += 3_600_000;
  service.tick();
  await until(() => failed() === 1);
  expect(state.calls).toBe(5);
  // It asks again half a minute later, and not before.
  clock.ms += 29_000;
  service.tick();
  state.status = 200;
  state.keys = [key("3")];
  clock.ms += 1_000;
  await until(() => {
    service.tick();
    return kids()?.[0] === "3";
  });
  expect(state.calls).toBe(7);
});

test.each([
  ["no keys", { keys: [] }],
  [
    "keys of another kind",
    { keys: [{ kty: "EC", kid: "1" }, { ...key("1"), use: "enc" }, 7, null] },
  ],
  ["no list", { keys: "none" }],
  ["more than an answer may have", { keys: [{ ...key("1"), n: "A".repeat(70_000) }] }],
  ["keys elsewhere without TLS", { place: "http://192.0.2.1/keys" }],
  ["no place of its keys", { place: "" }],
])("a service with %s is not believed", async (_, change) => {
  const { url, state } = await startService();
  Object.assign(state, change);
  const { service, clock, kids } = follow(url);
  service.tick();
  await until(() => state.calls > 0);
  // It tries again, because it has failed.
  const before = state.calls;
  await until(() => {
    clock.ms += 3_600_000;
    service.tick();
    return state.calls > before;
  });
  expect(kids()).toBeUndefined();
});

test("without a service none is asked", () => {
  const { service, kids } = follow("");
  service.tick();
  expect(kids()).toBeUndefined();
});
