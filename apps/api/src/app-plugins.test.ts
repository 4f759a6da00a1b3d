import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveMetrics } from "#src/platform/http/ops/metrics-server.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  call,
  createApiKey,
  createUser,
  expectStatus,
  testPassword,
} from "#src/test-support/test-users.ts";

let testApp: TestApp;
let consoleFolder: string;
const logLines: string[] = [];
beforeAll(async () => {
  consoleFolder = await mkdtemp(path.join(tmpdir(), "palisade-console-"));
  await mkdir(path.join(consoleFolder, "assets"));
  await writeFile(path.join(consoleFolder, "index.html"), "<!doctype html><title>Console</title>");
  await writeFile(path.join(consoleFolder, "boot.js"), "// boot");
  await writeFile(path.join(consoleFolder, "assets/main-1a2b3c.js"), "// main");
  await writeFile(path.join(consoleFolder, "assets/main-1a2b3c.js.br"), "compressed");
  await mkdir(path.join(consoleFolder, "landing"));
  for (const name of ["index", "terms", "privacy"]) {
    for (const locale of ["en", "ru"]) {
      const page = `<title>${name} ${locale}</title><meta name="operator" content="" />
<link rel="alternate" hreflang="ru" href="__public_url__/?lang=ru" />
<p>__operator_name__</p><a class="a" href="__operator_discord__">Discord</a><a href="__operator_source__">Source</a>`;
      await writeFile(path.join(consoleFolder, `landing/${name}.${locale}.html`), page);
    }
  }
  const operator = { name: 'Ann "A" & <Co>', address: "Street 1", email: "ann@example.com" };
  const publicUrl = "https://shield.example/";
  const sourceUrl = "https://code.example/?a=1&b=2";
  testApp = await createTestApp({
    config: { consoleFolder, operator, publicUrl, sourceUrl },
    onLog: (line) => logLines.push(line),
  });
});
afterAll(async () => {
  await testApp?.close();
  await rm(consoleFolder, { recursive: true, force: true });
});

const page = { accept: "text/html,application/xhtml+xml" };

describe("the console", () => {
  test.each([
    "/login",
    "/login/",
    "/reset-password/confirm?message=a",
    "/dashboard/gameshield/01890000-0000-7000-8000-000000000000",
    "/dashboard/gameshield/01890000-0000-7000-8000-000000000000/domains?tab=a",
  ])("%s is its page, asked for anew each time", async (url) => {
    const answer = await testApp.app.inject({ url, headers: page });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toMatch(/^text\/html/);
    expect(answer.headers["cache-control"]).toBe("no-cache");
    expect(answer.body).toContain("<title>Console</title>");
  });

  test("compressed files go to those who can read them", async () => {
    const headers = { "accept-encoding": "gzip, br" };
    const answer = await testApp.app.inject({ url: "/assets/main-1a2b3c.js", headers });
    expect(answer.headers["content-encoding"]).toBe("br");
    expect(answer.headers["content-type"]).toMatch(/javascript/);
    expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(answer.headers["vary"]).toMatch(/accept-encoding/i);
    expect(answer.body).toBe("compressed");
    const plain = await testApp.app.inject({ url: "/assets/main-1a2b3c.js" });
    expect(plain.body).toBe("// main");
  });

  test("hashed files never change, others are asked for anew", async () => {
    const hashed = await testApp.app.inject({ url: "/assets/main-1a2b3c.js" });
    expect(hashed.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const plain = await testApp.app.inject({ url: "/boot.js" });
    expect(plain.headers["cache-control"]).toBe("no-cache");
  });

  test.each([
    ["/api/v1/nothing", page],
    ["/edge/v1/nothing", page],
    ["/assets/gone-9z.js", page],
    ["/login", { accept: "application/json" }],
  ])("%s is no page", async (url, headers) => {
    const answer = await testApp.app.inject({ url, headers });
    expect([400, 403, 404]).toContain(answer.statusCode);
    expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
  });

  /** Over a socket, with the path byte for byte. */
  async function ask(
    target: string,
    { method = "GET", accept = "*/*" } = {},
  ): Promise<{ status: number; type: string; body: string }> {
    const { hostname, port } = new URL(await testApp.listen());
    const sent = request({ hostname, port, path: target, method, headers: { accept } });
    sent.end();
    // The event of node:http carries the answer.
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    const { statusCode = 0, headers } = answer;
    return { status: statusCode, type: headers["content-type"] ?? "", body: await text(answer) };
  }

  test.each(["*/*", "text/html", "image/avif,*/*;q=0.8", ""])(
    "its pages are sent to clients that accept %j",
    async (accept) => {
      const answer = await ask("/login", { accept });
      expect(answer).toMatchObject({ status: 200, type: expect.stringMatching(/^text\/html/) });
      expect(answer.body).toContain("<title>Console</title>");
      expect((await ask("/login", { accept, method: "HEAD" })).status).toBe(200);
    },
  );

  test.each([
    "/nothing",
    "/login/nothing",
    "/dashboard/nothing",
    "/dashboard/gameshield/a/b/c",
    "/landing/index.en.html",
    "/nothing.png",
  ])("%s is its page with status 404, whose router says that there is none", async (target) => {
    const answer = await ask(target);
    expect(answer).toMatchObject({ status: 404, type: expect.stringMatching(/^text\/html/) });
    expect(answer.body).toContain("<title>Console</title>");
    const json = await ask(target, { accept: "application/json" });
    expect(json).toMatchObject({
      status: 404,
      type: expect.stringMatching(/^application\/problem/),
    });
    expect((await ask(target, { method: "POST" })).status).toBe(404);
  });

  test.each([
    "/%00",
    "/login%00",
    "/%",
    "/%ff",
    "//",
    "//x/",
    "/./x",
    "/a//b",
    "/assets/",
    "/assets/%2e%2e/%2e%2e/package.json",
    "/assets/../../package.json",
    "/..%2f..%2fetc/passwd",
    "/%2e%2e/%2e%2e/package.json",
    "/..%5c..%5cpackage.json",
    `/${"a".repeat(5_000)}`,
    `/${"a/".repeat(2_500)}`,
    `/assets/${"%41".repeat(1_500)}`,
    `/api/v1/${"a".repeat(5_000)}`,
    "/api/v1/%00",
  ])("%s is a mistake of the caller, not of the api", async (target) => {
    const before = logLines.length;
    for (const accept of ["*/*", "application/json"]) {
      const answer = await ask(target, { accept });
      expect([400, 404]).toContain(answer.status);
      expect(answer.body).not.toContain("workspaces");
    }
    expect(logLines.slice(before).join("")).not.toMatch(/"stack"|Request failed/);
  });

  test("that logs in or is refused is logged with its factor or the reason", async () => {
    const { email } = await createUser(testApp);
    const before = logLines.length;
    const log = async (password: string) =>
      call(testApp, routes.auth.login, { body: { email, password } });
    await log("wrong password");
    await log(testPassword);
    const lines = logLines.slice(before).map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ status: 422, code: "invalid_credentials", ip: "127.0.0.1" }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ msg: "Logged in", factor: "password" }));
    expect(logLines.slice(before).join()).not.toMatch(/wrong password|battery/);
  });

  test("is logged with the ids of caller and credential, never with the token", async () => {
    const user = await createUser(testApp);
    const apiKey = await createApiKey(testApp, user, "read");
    const before = logLines.length;
    for (const token of [user.token, apiKey]) {
      await expectStatus(call(testApp, routes.auth.user, { token }), 200);
    }
    await expectStatus(call(testApp, routes.auth.user, { token: `${user.token}x` }), 401);
    const lines = logLines.slice(before).filter((line) => line.includes('"Answered"'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ user: user.id, credential: expect.stringMatching(/^session:/) }),
      expect.objectContaining({ user: user.id, credential: expect.stringMatching(/^api-key:/) }),
      expect.not.objectContaining({ user: expect.anything() }),
    ]);
    expect(lines.map((line) => JSON.parse(line).code)).toEqual([
      undefined,
      undefined,
      "unauthenticated",
    ]);
    expect(lines.join()).not.toMatch(/pst_|psk_/);
    expect(lines.join()).not.toContain(apiKey);
  });

  test("runs under a policy without inline scripts or foreign hosts", async () => {
    const { headers } = await testApp.app.inject({ url: "/", headers: page });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("same-origin");
    expect(headers["strict-transport-security"]).toBeUndefined();
  });
});

describe("the public pages", () => {
  test.each([
    ["/", "index"],
    ["/?ref=friend", "index"],
    ["/terms", "terms"],
    ["/privacy", "privacy"],
  ])("%s names the operator, whatever characters the name has", async (url, title) => {
    const answer = await testApp.app.inject({ url, headers: page });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toMatch(/^text\/html/);
    expect(answer.headers["cache-control"]).toBe("no-cache");
    expect(answer.body).toContain(`<title>${title} en</title>`);
    const content = /content="([^"]*)"/.exec(answer.body)?.[1] ?? "";
    expect(content).not.toMatch(/[<>]/);
    const text = content.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    expect(JSON.parse(text)).toEqual({
      name: 'Ann "A" & <Co>',
      address: "Street 1",
      email: "ann@example.com",
      discord: "",
      source: "https://code.example/?a=1&b=2",
    });
    expect(answer.body).toContain("<p>Ann &#34;A&#34; &#38; &#60;Co&#62;</p>");
  });

  test("link to what the operator has configured, and to nothing else", async () => {
    const { body } = await testApp.app.inject({ url: "/", headers: page });
    expect(body).toContain('<a href="https://code.example/?a=1&#38;b=2">Source</a>');
    expect(body).toContain('hreflang="ru" href="https://shield.example/?lang=ru"');
    expect(body).not.toMatch(/Discord|__/);
    const elsewhere = await createTestApp({ config: { consoleFolder }, sharing: testApp });
    try {
      const { body: plain } = await elsewhere.app.inject({ url: "/", headers: page });
      expect(plain).not.toMatch(/<a |<link |__/);
    } finally {
      await elsewhere.close();
    }
  });

  test.each([
    ["/terms", "en-GB,en;q=0.9,ru;q=0.5", "en"],
    ["/terms", "ru-RU,ru;q=0.9,en;q=0.5", "ru"],
    ["/terms?lang=ru", "en", "ru"],
    ["/terms?lang=en", "ru", "en"],
    ["/terms?lang=../index", "ru", "ru"],
    ["/terms?lang=en&lang=ru", "ru", "ru"],
  ])("%s for a browser of %s is in %s", async (url, language, locale) => {
    const headers = { ...page, "accept-language": language };
    const answer = await testApp.app.inject({ url, headers });
    expect(answer.body).toContain(`<title>terms ${locale}</title>`);
    expect(answer.headers["content-language"]).toBe(locale);
    expect(answer.headers["vary"]).toMatch(/accept-language/);
  });

  test("with a slash at its end an address leads to the one without", async () => {
    const { statusCode, headers } = await testApp.app.inject({ url: "/terms/?lang=ru" });
    expect([statusCode, headers.location]).toEqual([308, "/terms?lang=ru"]);
    expect((await testApp.app.inject({ url: "/privacy/" })).headers.location).toBe("/privacy");
  });

  test("are compressed for those who can read that, and new as soon as a build is", async () => {
    const headers = { ...page, "accept-encoding": "gzip" };
    const body = async () => {
      const answer = await testApp.app.inject({ url: "/privacy", headers });
      expect(answer.headers["content-encoding"]).toBe("gzip");
      return gunzipSync(answer.rawPayload).toString();
    };
    expect(await body()).toContain("<title>privacy en</title>");
    await writeFile(path.join(consoleFolder, "landing/privacy.en.html"), "<title>New</title>");
    expect(await body()).toBe("<title>New</title>");
  });

  test("their files, not filled in, are not to be had", async () => {
    const answer = await testApp.app.inject({ url: "/landing/index.en.html" });
    expect(answer.statusCode).toBe(404);
  });
});

test("security.txt says how to report a weakness, and for how long that holds", async () => {
  const answer = await testApp.app.inject({ url: "/.well-known/security.txt" });
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([
    200,
    "text/plain; charset=utf-8",
  ]);
  const fields = Object.fromEntries(
    answer.body
      .trim()
      .split("\n")
      .map((line) => line.split(": ")),
  );
  expect(fields).toMatchObject({
    Contact: "mailto:ann@example.com",
    Canonical: "https://shield.example/.well-known/security.txt",
  });
  expect(new Date(fields["Expires"]).getTime()).toBeGreaterThan(testApp.clock.now().getTime());
});

describe("reports of the content security policy", () => {
  const report = (directive: string, ip: string, type = "application/csp-report") =>
    testApp.app.inject({
      method: "POST",
      url: "/csp-reports",
      remoteAddress: ip,
      headers: { "content-type": type },
      payload: JSON.stringify({
        "csp-report": {
          "effective-directive": directive,
          "blocked-uri": "https://evil.example/path?secret=1",
          "document-uri": "https://shield.example/reset/s3cret?code=2",
        },
      }),
    });
  const count = async (directive: string): Promise<number> => {
    const { values = [] } =
      (await testApp.platform.metrics.getSingleMetric("palisade_csp_violations_total")?.get()) ??
      {};
    return values.find(({ labels }) => labels["directive"] === directive)?.value ?? 0;
  };

  test("are counted by directive, up to a limit for each source, and logged without secrets", async () => {
    const { headers } = await testApp.app.inject({ url: "/", headers: page });
    expect(String(headers["content-security-policy"])).toMatch(
      /base-uri 'none'.*report-uri \/csp-reports/,
    );
    const before = logLines.length;
    for (let sent = 0; sent < 25; sent += 1)
      expect((await report("script-src-elem", "192.0.2.7")).statusCode).toBe(204);
    await report("x".repeat(5_000), "192.0.2.8");
    expect([await count("script-src-elem"), await count("other")]).toEqual([20, 1]);
    const told = logLines
      .slice(before)
      .filter((line) => line.includes("keep out") || line.includes("kept out"));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('"blocked":"https://evil.example"');
    expect(told[0]).not.toMatch(/s3cret|secret=1|code=2/);
  });

  test.each(["{", "null", "[]", '{"csp-report":1}', "\u0000", `"${"x".repeat(20_000)}"`])(
    "of any other shape change nothing: %.20s",
    async (payload) => {
      const answer = await testApp.app.inject({
        method: "POST",
        url: "/csp-reports",
        remoteAddress: "192.0.2.10",
        headers: { "content-type": "application/csp-report" },
        payload,
      });
      expect(answer.statusCode).toBe(payload.length > 16_384 ? 413 : 204);
    },
  );
});

describe("health and metrics", () => {
  test("metrics count by route pattern, on a port of this machine that serves nothing else", async () => {
    await testApp.app.inject({ url: "/api/v1/auth/user" });
    expect((await testApp.app.inject({ url: "/metrics" })).statusCode).toBe(404);
    const server = await serveMetrics(testApp.platform.metrics, 0);
    try {
      const { hostname, port } = new URL(server.url);
      expect(hostname).toBe("127.0.0.1");
      expect(await (await fetch(`${server.url}/metrics`)).text()).toMatch(
        /palisade_http_request_duration_seconds_count\{route="\/api\/v1\/auth\/user",method="GET",status="401"\} \d/,
      );
      expect((await fetch(`${server.url}/api/v1/auth/user`)).status).toBe(404);
      await expect(serveMetrics(testApp.platform.metrics, Number(port))).rejects.toThrow(
        /PALISADE_API_METRICS_PORT/,
      );
    } finally {
      server.close();
    }
  });

  test("healthz and readyz answer", async () => {
    expect((await testApp.app.inject({ url: "/healthz" })).json()).toEqual({ status: "ok" });
    const ready = await testApp.app.inject({ url: "/readyz" });
    expect(ready.json()).toEqual({ status: "ready", database: true, notifications: true });
  });
});

describe("development only", () => {
  test("the mailbox is shown newest first, by receiver, in frames that run nothing", async () => {
    for (const [index, to] of ["one@example.com", "two@example.com", "One@example.com"].entries()) {
      await testApp.platform.db
        .insertInto("development_mails")
        .values({
          id: `01890000-0000-7000-8000-00000000000${index}`,
          recipient: to,
          subject: `<b>Mail ${index}</b>`,
          text_body: "text",
          html_body: "<script>alert(1)</script>",
          created_at: new Date(testApp.clock.now().getTime() + index),
        })
        .execute();
    }
    const all = (await testApp.app.inject({ url: "/dev/mail.json" })).json();
    expect(all.map((mail: { subject: string }) => mail.subject)).toEqual([
      "<b>Mail 2</b>",
      "<b>Mail 1</b>",
      "<b>Mail 0</b>",
    ]);
    const own = (await testApp.app.inject({ url: "/dev/mail.json?to=ONE@example.com" })).json();
    expect(own).toHaveLength(2);
    expect(own[0]).toEqual({
      id: "01890000-0000-7000-8000-000000000002",
      to: "One@example.com",
      reply_to: null,
      subject: "<b>Mail 2</b>",
      text: "text",
      html: "<script>alert(1)</script>",
      created_at: expect.any(String),
    });
    const shown = await testApp.app.inject({ url: "/dev/mail" });
    expect(shown.body).not.toContain("<script>");
    // Neither scripts nor an origin; links come up beside it.
    expect(shown.body).toContain('<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" ');
    expect(shown.body).toContain("&lt;b&gt;Mail 2&lt;/b&gt;");
  });

  test("only names of this machine show the mailbox, so that no name of a stranger can", async () => {
    const ask = (host: string) => testApp.app.inject({ url: "/dev/mail.json", headers: { host } });
    for (const host of [
      "localhost:8080",
      "127.0.0.1",
      "[::1]:8080",
      "a.localhost",
      "shield.example",
    ])
      expect((await ask(host)).statusCode, host).toBe(200);
    // The router decodes addresses, so that the check must not look at how one is written.
    const encoded = { url: "/%64ev/mail.json", headers: { host: "evil.example" } };
    expect((await testApp.app.inject(encoded)).statusCode).toBe(421);
    for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8080"]) {
      const answer = await ask(host);
      expect([answer.statusCode, answer.body], host).toEqual([
        421,
        expect.stringContaining("PALISADE_PUBLIC_URL"),
      ]);
    }
  });

  test("production has neither mailbox nor clock, and demands HTTPS", async () => {
    const production = await createTestApp({
      config: { development: false, smtpUrl: "smtp://127.0.0.1:1" },
      sharing: testApp,
    });
    try {
      for (const url of ["/dev/mail", "/dev/mail.json", "/dev/mail/templates"]) {
        expect((await production.app.inject({ url })).statusCode).toBe(404);
      }
      const clock = await production.app.inject({
        method: "POST",
        url: "/dev/clock",
        payload: { advance_seconds: 1 },
      });
      expect(clock.statusCode).toBe(404);
      expect(clock.headers["strict-transport-security"]).toMatch(/max-age=31536000/);
      const { cookies } = await call(production, routes.auth.resendVerificationCode, {
        body: { email: "cookies@example.com" },
      });
      expect(cookies).toEqual(
        ["palisade_pending", "XSRF-TOKEN"].map((name) =>
          expect.objectContaining({ name: `__Host-${name}`, secure: true, path: "/" }),
        ),
      );
    } finally {
      await production.close();
    }
  });
});

test("production without TLS of its own serves its proxy and this machine, and no one beside them", async () => {
  const production = await createTestApp({
    config: { development: false, smtpUrl: "smtp://127.0.0.1:1", trustedProxies: ["192.0.2.9"] },
    sharing: testApp,
  });
  try {
    const ask = async (remoteAddress: string, url: string) =>
      (await production.app.inject({ url, remoteAddress })).statusCode;
    for (const url of ["/api/v1/auth/user", "/edge/v1/config"]) {
      expect([await ask("192.0.2.9", url), await ask("127.0.0.1", url)]).toEqual([401, 401]);
      expect(await ask("203.0.113.5", url)).toBe(400);
    }
    expect(await ask("203.0.113.5", "/")).toBe(400);
    expect(await ask("203.0.113.5", "/readyz")).toBe(200);
  } finally {
    await production.close();
  }
});
