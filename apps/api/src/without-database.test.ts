import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { statusDocument } from "@palisade/contract/http/status-page";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "@palisade/embedded-postgres/launcher";
import { programEnvironment } from "@palisade/testing/program-environment";
import { freePort } from "@palisade/testing/free-port";
import { createTemporaryFolder, type TemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "#src/platform/database/migrate.ts";

let folder: TemporaryFolder;
let postgres: EmbeddedPostgres;
let child: ChildProcess | undefined;
let home: string;
let origin: string;
beforeAll(async () => {
  folder = await createTemporaryFolder("without-database");
  home = path.join(folder.path, "home");
  await mkdir(home);
  postgres = await startPostgres();
  await migrate({ ...postgres, log: () => undefined });
  origin = `http://127.0.0.1:${await freePort()}`;
});
afterAll(async () => {
  await endApi();
  await postgres?.stop();
  await folder?.remove();
});

function startPostgres(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ root: folder.path, settings: { fsync: "off" } });
}

function startApi(): void {
  child = spawn(process.execPath, [path.join(import.meta.dirname, "main.ts")], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...programEnvironment,
      PALISADE_HOME: home,
      PALISADE_HTTP_PORT: new URL(origin).port,
      PALISADE_API_METRICS_PORT: "0",
      PALISADE_LOG_LEVEL: "silent",
      DATABASE_URL: postgres.runtimeUrl,
    },
  });
}

async function endApi(): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function readiness(): Promise<number> {
  return fetch(`${origin}/readyz`).then(
    (answer) => answer.status,
    () => 0,
  );
}

async function ask(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${origin}${url}`, {
    headers: { "accept-language": "en", ...headers },
  });
  return { status: answer.status, body: await answer.text() };
}

async function json() {
  return statusDocument.parse(JSON.parse((await ask("/status.json")).body));
}

test("the status page is served with PostgreSQL stopped, and after a start without it", async () => {
  startApi();
  await until(async () => (await readiness()) === 200, { what: "the api to be ready" });
  const before = await json();
  expect(before.state).toBe("operational");

  await postgres.stop();
  await until(async () => (await readiness()) === 503, { what: "readyz to turn red" });
  expect((await ask("/status")).status).toBe(200);
  expect((await json()).components.map(({ location }) => location)).toEqual([null]);

  // The process dies too, and another one begins without PostgreSQL.
  await endApi();
  startApi();
  await until(async () => (await readiness()) === 503, {
    what: "the api without PostgreSQL to listen",
  });
  const page = await ask("/status");
  expect([page.status, page.body]).toEqual([200, expect.stringContaining("As of ")]);
  expect(page.body).not.toContain('action="/status/subscriptions"');
  expect((await ask("/status?lang=ru")).body).toContain("По состоянию на");
  expect((await json()).components).toEqual(before.components);
  expect((await ask("/status/feed.xml")).body).toContain("<feed");
  const program = await ask("/api/v1/auth/user");
  expect([program.status, program.body]).toEqual([503, expect.stringContaining('"unavailable"')]);
  const person = await ask("/dashboard", { accept: "text/html" });
  expect([person.status, person.body]).toEqual([503, expect.stringContaining('href="/status"')]);

  // PostgreSQL is back: the api takes over by itself.
  postgres = await startPostgres();
  await until(async () => (await readiness()) === 200, { what: "the api to take over" });
  expect((await ask("/status")).body).toContain('action="/status/subscriptions"');
}, 120_000);
