import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { ticketBody } from "#src/test-support/ticket-samples.ts";
import { call, createUser, formOf } from "#src/test-support/test-users.ts";
import { createVirusScanner } from "./virus-scanner.ts";

/** Not in one piece, so that no scanner takes this file for it. */
const eicar = ["X5O!P%@AP[4\\PZX54(P^)7CC)7}", "$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"].join(
  "",
);
const clamd = "/usr/sbin/clamd";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "palisade-clamd-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileOf(content: string | Buffer): Promise<string> {
  const file = path.join(folder, "scanned");
  await writeFile(file, content);
  return file;
}

describe("without an answer", () => {
  let server: Server | undefined;
  afterAll(() => server?.close());

  async function serverThat(answer: string | null): Promise<{ host: string; port: number }> {
    server?.close();
    server = createServer((socket) => {
      socket.on("error", () => undefined);
      // In the middle of the file, as clamd does where it is too long.
      socket.once("data", () => (answer === null ? socket.destroy() : socket.end(`${answer}\0`)));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("No port");
    return { host: "127.0.0.1", port: address.port };
  }

  test.each([
    [null, /./],
    ["INSTREAM size limit exceeded. ERROR", /size limit/],
    ["", /nothing/],
    ["stream: OK?", /OK\?/],
  ])("that says %j, the scan fails: the file is not taken for clean", async (answer, error) => {
    const scan = createVirusScanner(await serverThat(answer));
    await expect(scan(await fileOf(Buffer.alloc(4 * 1024 * 1024)))).rejects.toThrow(error);
  });

  test("files are refused with a reason, and messages without files go on", async () => {
    const testApp = await createTestApp({
      config: { clamd: { path: path.join(folder, "none.sock") } },
    });
    try {
      const { token } = await createUser(testApp);
      const form = await formOf(ticketBody, [new File(["hello"], "a.txt")]);
      const refused = await call(testApp, routes.tickets.createTicket, { token, ...form });
      expect([refused.statusCode, refused.json().message]).toEqual([
        503,
        "Files cannot be checked for viruses now. Try again later, or send the message without files",
      ]);
      const plain = await call(testApp, routes.tickets.createTicket, { token, body: ticketBody });
      expect(plain.statusCode).toBe(201);
    } finally {
      await testApp.close();
    }
  });
});

const isInstalled = existsSync(clamd);
if (!isInstalled) {
  process.stderr.write("Skipped: clamd is not installed (apt-get install clamav-daemon)\n");
}

describe.skipIf(!isInstalled)("by ClamAV", () => {
  let daemon: ChildProcess | undefined;
  let socket: string;
  let testApp: TestApp;
  beforeAll(async () => {
    socket = path.join(folder, "clamd.sock");
    // clamd refuses a database that is empty; a signature of our own is enough for one.
    const hex = Buffer.from(eicar).toString("hex");
    const database = path.join(folder, "database");
    await mkdir(database);
    await writeFile(path.join(database, "test.ndb"), `Test.Eicar:0:*:${hex}\n`);
    const config = path.join(folder, "clamd.conf");
    await writeFile(
      config,
      [
        `LocalSocket ${socket}`,
        `DatabaseDirectory ${database}`,
        "Foreground yes",
        "StreamMaxLength 12M",
        "ConcurrentDatabaseReload no",
      ].join("\n"),
    );
    await chmod(folder, 0o755);
    daemon = spawn(clamd, ["--config-file", config, "--foreground"], { stdio: "ignore" });
    await until(() => existsSync(socket), { capMs: 30_000 });
    testApp = await createTestApp({ config: { clamd: { path: socket } } });
  }, 60_000);
  afterAll(async () => {
    await testApp?.close();
    if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const gone = once(daemon, "exit");
    daemon.kill("SIGKILL");
    await gone;
  });

  test("a file is clean or has the virus, wherever it is in 10 MB", async () => {
    const scan = createVirusScanner({ path: socket });
    expect(await scan(await fileOf("hello"))).toBeNull();
    expect(await scan(await fileOf(eicar))).toContain("Test.Eicar");
    const large = Buffer.alloc(10 * 1024 * 1024, 0x20);
    expect(await scan(await fileOf(large))).toBeNull();
    large.write(eicar, large.length - 200);
    expect(await scan(await fileOf(large))).toContain("Test.Eicar");
    const tooLong = createVirusScanner({ path: socket });
    await expect(tooLong(await fileOf(Buffer.alloc(13 * 1024 * 1024)))).rejects.toBeInstanceOf(
      Error,
    );
  });

  test("a ticket with the virus is refused by the file's name, one without is opened", async () => {
    const { token } = await createUser(testApp);
    const create = async (content: string) => {
      const form = await formOf(ticketBody, [new File([content], "crash.txt")]);
      return call(testApp, routes.tickets.createTicket, { token, ...form });
    };
    const refused = await create(eicar);
    expect([refused.statusCode, refused.json().code, refused.json().message]).toEqual([
      422,
      "attachment_refused",
      "The virus scanner refused the file: crash.txt",
    ]);
    expect((await create("at net.minecraft.server")).statusCode).toBe(201);
  });
});
