import { errorStatus } from "@palisade/contract/errors/codes";
import { problem } from "@palisade/contract/errors/problem";
import { mountedPath, type RouteDefinition } from "@palisade/contract/http/route";
import { allRoutes, routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { runCurl, runTypeScript } from "#src/test-support/code-samples.ts";
import { call, createUser, expectStatus, type TestUser } from "#src/test-support/test-users.ts";
import { createTestWorld, type TestWorld } from "#src/test-support/test-world.ts";
import { referenceRoutes } from "./document/document.ts";

interface Example {
  readonly value: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Record<string, unknown>[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly examples?: Readonly<Record<string, Example>>;
  }[];
  readonly requestBody?: {
    content: Record<string, { example: unknown; schema?: { properties?: object } }>;
  };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers: Readonly<Record<string, unknown>>;
        readonly content: Readonly<
          Record<string, { example?: unknown; examples?: Record<string, Example> }>
        >;
      }
    >
  >;
  readonly "x-codeSamples": readonly { readonly lang: string; readonly source: string }[];
}

interface OpenApi {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

let testApp: TestApp;
let world: TestWorld;
let origin: string;
let document: OpenApi;
beforeAll(async () => {
  testApp = await createTestApp();
  world = await createTestWorld(testApp);
  origin = await testApp.listen();
  document = (await testApp.app.inject({ url: "/api/v1/openapi.json" })).json();
}, 60_000);
afterAll(() => testApp?.close());

const documented = referenceRoutes.map(({ route }) => [route.id, route] as const);

function operationOf(route: RouteDefinition): Operation {
  const path = mountedPath(route).replace(/:(\w+)/g, "{$1}");
  const operation = document.paths[path]?.[route.method.toLowerCase()];
  if (operation === undefined) throw new Error(`${route.id} is not in the reference`);
  return operation;
}

function sampleOf(route: RouteDefinition, lang: "shell" | "typescript"): string {
  return operationOf(route)["x-codeSamples"].find((each) => each.lang === lang)?.source ?? "";
}

describe("every call of the reference", () => {
  test.each(documented)("%s says what it is, who may call it and how often", (_, route) => {
    const operation = operationOf(route);
    expect(operation).toMatchObject({
      operationId: route.id,
      "x-access": route.access,
      "x-api-key-scope": route.apiKey,
      "x-rate-limits": route.limits,
    });
    expect(operation.summary.length, operation.summary).toBeLessThanOrEqual(50);
    expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0]);
    const credentials = operation.security.flatMap((each) => Object.keys(each));
    expect(credentials.length === 0).toBe(route.access === "anonymous");
    expect(credentials.includes("apiKey")).toBe(route.apiKey !== "none");
    for (const { max } of route.limits) {
      expect(operation.description).toContain(`${max.toLocaleString("en")} call`);
    }
  });

  test.each(documented)("%s is shown with values it would take and could answer", (_, route) => {
    const { parameters, requestBody, responses } = operationOf(route);
    const example = requestBody?.content["application/json"]?.example;
    if (route.body !== undefined) expect(route.body.parse(example)).toBeDefined();
    const valuesIn = (place: string) =>
      Object.fromEntries(
        parameters
          .filter((each) => each.in === place)
          .map((each) => [each.name, each.examples?.["example"]?.value]),
      );
    if (route.params !== undefined) expect(route.params.parse(valuesIn("path"))).toBeDefined();
    const query = route.querystring?.parse(valuesIn("query"));
    expect(Object.keys(query ?? {})).toEqual(Object.keys(valuesIn("query")));
    const [answer] = Object.values(responses[route.success]?.content ?? {});
    expect(route.response.parse(answer?.example)).toBeDefined();
  });

  test.each(documented)("%s shows each error it can answer in its body", (_, route) => {
    const { responses } = operationOf(route);
    for (const code of [...route.errors, "internal", "unavailable"] as const) {
      const content = responses[errorStatus[code]]?.content["application/problem+json"];
      const shown = problem.parse(content?.examples?.[code]?.value);
      expect(shown).toMatchObject({ code, status: errorStatus[code] });
      expect(shown.message).not.toMatch(/[{}]/);
    }
    expect("429" in responses).toBe(true);
  });

  test("takes an Idempotency-Key or If-Match where the contract says so", () => {
    const taking = (header: string) =>
      documented
        .filter(([, route]) => operationOf(route).parameters.some(({ name }) => name === header))
        .map(([id]) => id);
    const idempotent = documented.filter(([, route]) => route.idempotent === true);
    expect(taking("Idempotency-Key")).toEqual(idempotent.map(([id]) => id));
    const versioned = documented.filter(([, route]) =>
      (route.errors as readonly string[]).includes("precondition_failed"),
    );
    expect(taking("If-Match")).toEqual(versioned.map(([id]) => id));
  });

  test("that takes a form shows it beside JSON, its file as one", () => {
    const taken = documented.filter(([, route]) => route.multipart !== undefined);
    expect(taken.map(([id]) => id)).toContain("serverMessages.update");
    for (const [, route] of taken) {
      const form = operationOf(route).requestBody?.content["multipart/form-data"];
      const properties = form?.schema?.properties;
      expect(properties).toMatchObject({ "offline[offline_image]": { format: "binary" } });
      expect(properties).toHaveProperty(["offline[motd_line1]"]);
    }
  });

  test("that takes files shows each of them beside the fields", () => {
    const taken = documented.filter(([, route]) => route.uploads !== undefined);
    expect(taken.map(([id]) => id)).toEqual([
      "tickets.create",
      "tickets.reply",
      "staffTickets.reply",
    ]);
    for (const [, route] of taken) {
      const form = operationOf(route).requestBody?.content["multipart/form-data"];
      expect(form?.schema?.properties).toMatchObject({
        message: { type: "string" },
        "attachments[4]": { format: "binary" },
      });
      expect(form?.schema?.properties).not.toHaveProperty(["attachments[5]"]);
    }
  });

  test("carries an ETag in truth where the reference says so", async () => {
    const reading = documented.filter(
      ([, { access, method, streams }]) =>
        method === "GET" && access === "member" && streams !== true,
    );
    for (const [id, route] of reading) {
      const { shieldId, readKey } = world;
      const answer = await call(testApp, route, { token: readKey, params: { id: shieldId } });
      const isSaid = "ETag" in (operationOf(route).responses[200]?.headers ?? {});
      expect("etag" in answer.headers, id).toBe(isSaid);
    }
  });
});

describe("the document", () => {
  test("has every call there is for callers, and nothing else", () => {
    const forCallers = allRoutes.filter(({ family, rawBody }) => family === "api" && !rawBody);
    expect(documented.map(([id]) => id).toSorted()).toEqual(
      forCallers.map(({ id }) => id).toSorted(),
    );
    const paths = Object.keys(document.paths);
    expect(paths.filter((path) => !path.startsWith("/api/v1/"))).toEqual([]);
    expect(paths.filter((path) => path.startsWith("/api/v1/webhooks"))).toEqual([]);
    expect(JSON.stringify(document.components)).not.toContain("edgeCredential");
  });

  test("refers to every schema it has, and to none it has not", () => {
    const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
    const referred = new Set(names.map(([, name = ""]) => name));
    expect([...referred].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted());
  });

  test("begins with how to call: address, keys, limits of each call a key can make, errors", () => {
    const text = document.info.description;
    expect(text).toContain(`${origin}/api/v1/auth/user`);
    expect(text).toContain("`Retry-After`");
    expect(text).toContain("counted together, and so are all its calls by API key: 600 calls");
    for (const [, route] of documented.filter(([, { apiKey }]) => apiKey !== "none")) {
      expect(text).toContain(`${route.method} ${mountedPath(route).replace(/:(\w+)/g, "{$1}")}`);
    }
    const codes = new Set(documented.flatMap(([, { errors }]) => errors));
    for (const code of codes) expect(text).toContain(`\`${code}\``);
  });
});

describe("code samples", () => {
  /** As a reader does: their own ids instead of the example's. */
  function filledIn(sample: string, ids: Readonly<Record<string, string>> = {}): string {
    return Object.entries(ids).reduce((text, [from, to]) => text.replaceAll(from, to), sample);
  }

  function exampleIn(route: RouteDefinition, name: string): string {
    const parameter = operationOf(route).parameters.find((each) => each.name === name);
    return String(parameter?.examples?.["example"]?.value);
  }

  const environment = () => ({ PALISADE_API_KEY: world.writeKey });

  test("are in two languages with every call, and can all be read", async () => {
    const samples = (lang: "shell" | "typescript") =>
      documented.map(([, route]) => sampleOf(route, lang));
    const unrun = samples("typescript").map((source) => `async () => {\n${source}\n};`);
    expect(await runTypeScript(unrun.join("\n"), {})).toMatchObject({ exitCode: 0, stderr: "" });
    const commands = samples("shell").map((source) => `unrun() {\n${source}\n}`);
    expect(await runCurl(commands.join("\n"), {})).toMatchObject({ exitCode: 0 });
    for (const [, route] of documented) {
      const credential = route.apiKey === "none" ? "PALISADE_ACCESS_TOKEN" : "PALISADE_API_KEY";
      const expected = route.access === "anonymous" ? "" : credential;
      for (const lang of ["shell", "typescript"] as const) {
        expect(sampleOf(route, lang)).toContain(expected);
        expect(sampleOf(route, lang)).toContain(`${origin}/api/v1/`);
      }
    }
  });

  test("by curl read, create and delete", async () => {
    const { addFirewallEntry, getFirewall, removeFirewallEntry } = routes.firewall;
    const ids = { [exampleIn(getFirewall, "id")]: world.shieldId };
    const run = async (route: RouteDefinition, own = ids) => {
      const { exitCode, stdout } = await runCurl(
        filledIn(sampleOf(route, "shell"), own),
        environment(),
      );
      expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
      return route.response.type === "string" ? stdout : route.response.parse(JSON.parse(stdout));
    };
    expect(await run(routes.auth.user)).toMatchObject({ user: { email: world.owner.email } });
    expect(await run(routes.servers.listServers)).toMatchObject({ total: 1, per_page: 20 });
    expect(await run(routes.domains.checkDomain)).toMatchObject({ available: true });
    const first = await run(routes.servers.generateCname);
    expect(await run(routes.servers.generateCname)).toEqual(first);
    expect(await run(routes.audit.exportAuditLog)).toContain("/api/v1/servers/generate-cname");
    const { entry } = addFirewallEntry.response.parse(await run(addFirewallEntry));
    expect(await run(getFirewall)).toMatchObject({ blacklist_ips: [{ id: entry.id }] });
    await run(removeFirewallEntry, { ...ids, [exampleIn(removeFirewallEntry, "ipId")]: entry.id });
    expect(await run(getFirewall)).toMatchObject({ blacklist_ips: [] });
  });

  test("by TypeScript read and create, and throw what was refused", async () => {
    const run = (route: RouteDefinition, environment_ = environment()) =>
      runTypeScript(sampleOf(route, "typescript"), environment_);
    const [read, created, refused] = await Promise.all([
      run(routes.auth.user),
      run(routes.domains.checkDomain),
      run(routes.domains.checkDomain, { PALISADE_API_KEY: world.readKey }),
    ]);
    expect(read).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(world.owner.email) });
    expect(created).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/available: true/),
    });
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("forbidden: ") });
  });
});

test("an API key works with curl and stops once it is made anew", async () => {
  const user = await createUser(testApp);
  const tryKey = (key: string) =>
    runCurl(sampleOf(routes.auth.user, "shell"), { PALISADE_API_KEY: key });
  const first = await newProfileKey(user);
  expect(await tryKey(first)).toMatchObject({ exitCode: 0 });

  const second = await newProfileKey(user);
  const stopped = await tryKey(first);
  // 22: refused, with --fail-with-body.
  expect(stopped.exitCode).toBe(22);
  expect(problem.parse(JSON.parse(stopped.stdout)).code).toBe("unauthenticated");
  expect(await tryKey(second)).toMatchObject({ exitCode: 0 });
});

async function newProfileKey({ token }: TestUser): Promise<string> {
  const answer = await expectStatus(call(testApp, routes.account.regenerateApiKey, { token }), 200);
  return routes.account.regenerateApiKey.response.parse(answer.json()).api_key;
}

describe("the reference page", () => {
  test("names no other host, runs no inline script and says its language", async () => {
    const answer = await testApp.app.inject({ url: "/api/docs/" });
    const policy = String(answer.headers["content-security-policy"]);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/https?:/);
    expect(answer.body).not.toMatch(/https?:|<script>|<style/);
    expect(answer.body).toMatch(/<html lang="en">[^]*<title>API reference · Palisade<\/title>/);
  });

  test("sends its library compressed to those who can read it", async () => {
    const ask = (headers: Record<string, string>) =>
      testApp.app.inject({ url: "/api/docs/js/scalar.js", headers });
    const plain = await ask({});
    const compressed = await ask({ "accept-encoding": "gzip, br" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(compressed.headers["content-encoding"]).toBe("gzip");
    expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
  });
});
