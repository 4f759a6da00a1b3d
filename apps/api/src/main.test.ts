import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { programEnvironment } from "@palisade/testing/program-environment";
import { createClient } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createMigratedDatabase } from "#src/test-support/test-app.ts";

let home: string;
let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
const children: ChildProcess[] = [];
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "palisade-api-"));
  database = await createMigratedDatabase();
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

const ready = z.object({ kind: z.literal("ready"), url: z.url() });

async function startApi(environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "main.ts")], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      ...programEnvironment,
      PALISADE_HOME: home,
      PALISADE_HTTP_PORT: "0",
      PALISADE_API_METRICS_PORT: "0",
      PALISADE_LOG_LEVEL: "silent",
      DATABASE_URL: database.runtimeUrl,
      ...environment,
    },
  });
  children.push(child);
  const exited = once(child, "exit");
  const [message] = await Promise.race([
    once(child, "message"),
    exited.then(() => Promise.reject(new Error("The api ended before it was ready"))),
  ]);
  const { url } = ready.parse(message);
  // A busy machine sheds calls while the program's modules are still being loaded.
  await until(async () => (await fetch(`${url}/readyz`)).status === 200, { what: "readiness" });
  return { child, exited, url };
}

/** A configuration stream, which by itself never ends. */
async function openStream(url: string): Promise<Response> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(import.meta.dirname, "cli.ts"), "edge", "invite", "--name=a", "--location=local"],
    {
      env: {
        ...programEnvironment,
        PALISADE_HOME: home,
        DATABASE_URL: database.runtimeUrl,
      },
    },
  );
  const { enrolment_token: token } = z
    .object({ enrolment_token: z.string() })
    .parse(JSON.parse(stdout));
  const call = createClient({ baseUrl: url });
  const { data } = await call(routes.edge.enrol, { body: { token } });
  const stream = await fetch(`${url}/edge/v1/config`, {
    headers: { authorization: `Bearer ${data.credential}` },
  });
  expect(stream.status).toBe(200);
  return stream;
}

const registration = {
  email: "crash@example.com",
  password: "correct horse battery",
  password_confirmation: "correct horse battery",
  accept_privacy_policy: true,
} as const;

describe("the api as a process", () => {
  test("serves an OpenAPI document that is valid, compressed for clients that can read it", async () => {
    const { url } = await startApi();
    const answer = await fetch(`${url}/api/v1/openapi.json`);
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    const document = z.record(z.string(), z.unknown()).parse(await answer.json());
    expect(await new Validator().validate(document)).toMatchObject({ valid: true });
    expect(document).toMatchObject({
      components: { schemas: { Problem: { type: "object", properties: { code: {} } } } },
    });
    const plain = await fetch(`${url}/api/v1/openapi.json`, {
      headers: { "accept-encoding": "identity" },
    });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.json()).toEqual(document);
  });

  test("tells its parent where it listens and ends when the parent is gone", async () => {
    const { child, exited } = await startApi();
    child.disconnect();
    expect(await exited).toEqual([0, null]);
  });

  test.each(["SIGTERM", "SIGINT"] as const)("ends by %s, open streams and all", async (signal) => {
    const { child, exited, url } = await startApi();
    const stream = await openStream(url);
    child.kill(signal);
    expect(await exited).toEqual([0, null]);
    // The stream was ended, not cut: a cut one would throw here.
    expect((await stream.text()).split("\n")[0]).toContain("snapshot_start");
  });

  test("killed before the commit of a registration it leaves nothing, neither user nor mail", async () => {
    const { exited, url } = await startApi({ PALISADE_FAILPOINTS: "register.before-commit" });
    const call = createClient({ baseUrl: url });
    // A busy machine may turn a registration away before it gets that far.
    const isCutOff = async () => {
      await expect(call(routes.auth.register, { body: registration })).rejects.toThrow("HTTP 0");
      return true;
    };
    await until(isCutOff, { everyMs: 500 });
    expect(await exited).toEqual([null, "SIGKILL"]);

    const again = await startApi();
    const mails = await fetch(`${again.url}/dev/mail.json`);
    expect(await mails.json()).toEqual([]);
    const { data } = await createClient({ baseUrl: again.url })(routes.auth.register, {
      body: registration,
    });
    expect(data.message).toContain("We have sent you a code");
  });

  test("a wrong setting ends it with one line that names it", async () => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, "main.ts")], {
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        ...programEnvironment,
        PALISADE_HOME: home,
        PALISADE_HTTP_PORT: "80x",
      },
    });
    children.push(child);
    const stderr = (await child.stderr.toArray()).join("");
    expect(stderr).toMatch(
      /^Settings are not usable:\n {2}PALISADE_HTTP_PORT must be a port number\n/,
    );
    expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(1);
  });
});
