import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { mountedPath, type RouteDefinition } from "@palisade/contract/http/route";
import { allRoutes } from "@palisade/contract/http/routes";
import { oddAddressParts, oddHeaderValues, oddJson } from "@palisade/testing/odd-values";
import { byTurns } from "@palisade/testing/samples";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { routeSamples, type RouteId } from "#src/test-support/route-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { proveAnew, type CallOptions } from "#src/test-support/test-users.ts";
import { createTestWorld, type TestWorld } from "#src/test-support/test-world.ts";

/**
 * No request makes the api fail: every route of the contract gets odd, but possible values in each
 * parameter, query, field and header, and may refuse them, but never answers 500.
 */

let testApp: TestApp;
let world: TestWorld;
beforeAll(async () => {
  testApp = await createTestApp({ config: { trustedProxies: ["127.0.0.1"] } });
  world = await createTestWorld(testApp);
}, 60_000);
afterAll(() => testApp?.close());

interface OddRequest {
  readonly path: string;
  readonly query?: string;
  readonly payload?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let turn = 0;

/**
 * Values that are decoded and refused by code that all routes share: one route or parameter gets
 * some, the next one the others.
 */
const some = (values: readonly string[]): readonly string[] => byTurns(values, turn++ % 2);

/** Read before a route's own part, so that one route stands for all. */
const commonHeaders = [
  "authorization",
  "accept-language",
  "accept",
  "user-agent",
  "cookie",
  "x-forwarded-for",
  "content-type",
];

test.each(allRoutes)("$id answers no odd request with 500", async (route) => {
  const token = tokenFor(route);
  await proveAnew(testApp, world.owner.token);
  // The table's type has every route of the contract.
  const sample = await routeSamples[route.id as RouteId](world, token);
  const failures: string[] = [];
  const limitsAgainAfter = Math.min(5, ...route.limits.map(({ max }) => max));
  const inMemory = route.limits.filter(({ perProcess }) => perProcess === true);
  const minuteAfter = Math.min(100, ...inMemory.map(({ max }) => max));
  let sent = 0;
  for (const request of oddRequests(route, sample)) {
    // A refusal by a limit would test nothing; some limits are counted in memory, by the minute.
    if (sent % minuteAfter === 0) testApp.clock.advance(60_000);
    if (sent++ % limitsAgainAfter === 0)
      await testApp.platform.db.deleteFrom("rate_limits").execute();
    // A stream that went on would keep one of its user's places.
    const ending = route.streams === true ? ["seconds=0"] : [];
    const query = [...(request.query === undefined ? [] : [request.query]), ...ending].join("&");
    const answer = await testApp.app.inject({
      payloadAsStream: route.id === "edge.config",
      method: route.method,
      url: query === "" ? request.path : `${request.path}?${query}`,
      ...(request.payload === undefined ? {} : { payload: request.payload }),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${sample.token ?? token}` }),
        ...(request.payload === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      },
    });
    const isFailure = answer.statusCode >= 500 || answer.statusCode === 429;
    if (isFailure) failures.push(`${answer.statusCode} ${JSON.stringify(request)}`);
  }
  expect(failures).toEqual([]);
});

/** Beside the contract: pages of development and of the sandbox. */
test.each(["/dev/mail?to=", "/dev/mail.json?to=", "/dev/mail/templates?to=", "/sandbox/checkout/"])(
  "%s answers no odd request with 500",
  async (start) => {
    for (const part of [...oddAddressParts, "x&to=y"]) {
      const { statusCode } = await testApp.app.inject({ url: start + part });
      expect(statusCode, part).toBeLessThan(500);
      expect(statusCode, part).toBeGreaterThanOrEqual(200);
    }
  },
);

test.each([
  "GET http://[ HTTP/1.1\r\nHost: a",
  "GET * HTTP/1.1\r\nHost: a",
  "OPTIONS * HTTP/1.1\r\nHost: a",
  "GET /\\ HTTP/1.1\r\nHost: a",
  "GET //// HTTP/1.1\r\nHost: [",
  "GET /dev/mail HTTP/1.1\r\nHost: \u00ff",
  "GET /dev/mail HTTP/1.0",
  "GET /api/v1/auth/user?\u00ff\u0080 HTTP/1.1\r\nHost: a",
  "POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99999999999999999999",
  "POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 0",
  "GET /api/v1/auth/user HTTP/1.1\r\nHost: a\r\nExpect: what",
])("the bytes %j get an answer below 500, or none", async (head) => {
  const { hostname, port } = new URL(await testApp.listen());
  const socket = connect(Number(port), hostname);
  socket.end(Buffer.from(`${head}\r\nConnection: close\r\n\r\n`, "latin1"));
  const answer = (await buffer(socket)).toString("latin1");
  expect(answer).not.toMatch(/^HTTP\/1\.1 5/);
});

test("a request whose length is given in two ways is refused, and what follows it is not read", async () => {
  const { hostname, port } = new URL(await testApp.listen());
  const socket = connect(Number(port), hostname);
  const hidden = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
  socket.end(
    `POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${hidden.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
  );
  const answer = (await buffer(socket)).toString("latin1");
  expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 400"]);
});

test("TRACE and CONNECT are answered by no page and no call", async () => {
  const { hostname, port } = new URL(await testApp.listen());
  for (const method of ["TRACE / ", "CONNECT a:1 "]) {
    const socket = connect(Number(port), hostname);
    socket.end(`${method}HTTP/1.1\r\nHost: a\r\nCookie: a=secret\r\nConnection: close\r\n\r\n`);
    const answer = (await buffer(socket)).toString("latin1");
    expect(answer, method).not.toMatch(/^HTTP\/1\.1 [235]|secret/);
  }
});

/** The world's own callers: samples make stand-ins for these where a call uses them up. */
function tokenFor({ access }: RouteDefinition): string | undefined {
  if (access === "anonymous") return undefined;
  if (access === "edge") return world.edgeCredential;
  return access === "staff" ? world.staff.token : world.owner.token;
}

function* oddRequests(route: RouteDefinition, sample: CallOptions): Generator<OddRequest> {
  const names = [...mountedPath(route).matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const pathWith = (changed: string | undefined, value: string): string =>
    mountedPath(route).replace(/:(\w+)/g, (_, name: string) =>
      name === changed ? value : encodeURIComponent(sample.params?.[name] ?? ""),
    );
  const path = pathWith(undefined, "");
  const right = route.body === undefined ? undefined : JSON.stringify(sample.body ?? {});
  const payload = right === undefined ? {} : { payload: right };
  for (const name of names) {
    for (const part of some(oddAddressParts)) yield { path: pathWith(name, part), ...payload };
  }
  for (const query of oddQueries(route.querystring)) yield { path, query, ...payload };
  for (const body of oddBodies(route.body, sample.body)) yield { path, payload: body };
  for (const header of headersOf(route)) {
    for (const value of oddHeaderValues) yield { path, ...payload, headers: { [header]: value } };
  }
}

function headersOf(route: RouteDefinition): readonly string[] {
  return [
    ...(route.id === "servers.rename" || route.id === "auth.verifyEmailCode" ? commonHeaders : []),
    ...(route.idempotent === true ? ["idempotency-key"] : []),
    ...(route.method === "PUT" ? ["if-match"] : []),
    ...(route.conditional === true ? ["if-none-match"] : []),
  ];
}

function* oddQueries(schema: z.ZodType | undefined): Generator<string> {
  if (schema === undefined) return;
  yield* ["%", "a=%zz", "__proto__=x", "=&&=", "a=1&".repeat(500)];
  for (const name of namesOf(schema)) {
    for (const value of some(oddAddressParts)) yield `${name}=${value}`;
    yield `${name}=1&${name}=2`;
    yield `${name}[a]=1`;
  }
}

function* oddBodies(schema: z.ZodType | undefined, right: unknown): Generator<string> {
  if (schema === undefined) return;
  yield* [...some(oddJson), "", "{", "\u0000", `${"[".repeat(5_000)}${"]".repeat(5_000)}`];
  const body = typeof right === "object" && right !== null ? right : {};
  for (const name of namesOf(schema)) {
    for (const value of oddJson) {
      const marker = "the odd value";
      yield JSON.stringify({ ...body, [name]: marker }).replace(`"${marker}"`, () => value);
    }
  }
}

/** Names of the fields of an object, one level deep: validation treats deeper ones alike. */
function namesOf(schema: z.ZodType | undefined): readonly string[] {
  if (schema === undefined) return [];
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.keys(json.properties ?? {});
}
