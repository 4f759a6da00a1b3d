import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "./launcher.ts";

const isRoot = process.getuid?.() === 0;
const settings = { fsync: "off" };

let root: string;
const running: EmbeddedPostgres[] = [];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "palisade-postgres-"));
  // mkdtemp closes the folder to others, PostgreSQL's user included.
  await chmod(root, 0o755);
});

async function stopAll(): Promise<void> {
  for (const postgres of running.splice(0)) await postgres.stop();
}

afterEach(async () => {
  await stopAll();
  await rm(root, { recursive: true, force: true });
});

async function start(folder = root): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ root: folder, settings });
  running.push(postgres);
  return postgres;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(sql);
    return result.rows.flatMap((row) => Object.values(row));
  } finally {
    await client.end();
  }
}

describe("the embedded PostgreSQL", { timeout: 60_000 }, () => {
  test("has an owner role that is superuser and a runtime role that is not", async () => {
    const postgres = await start();
    const whoAmI = "SELECT current_user, current_setting('is_superuser'), current_database()";
    expect(await query(postgres.ownerUrl, whoAmI)).toEqual(["palisade_owner", "on", "palisade"]);
    expect(await query(postgres.runtimeUrl, whoAmI)).toEqual(["palisade_app", "off", "palisade"]);
    await expect(query(postgres.runtimeUrl, "CREATE TABLE t (n int)")).rejects.toThrow(
      "permission denied",
    );
  });

  test("starts whatever PostgreSQL variables are set for other servers", async () => {
    vi.stubEnv("PGPORT", "5499");
    vi.stubEnv("PGSSLMODE", "require");
    try {
      const postgres = await start();
      expect(await query(postgres.runtimeUrl, "SELECT 1 AS one")).toEqual([1]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("keeps its data over a stop and reports its end", async () => {
    const first = await start();
    await query(first.ownerUrl, "CREATE TABLE kept AS SELECT 7 AS n");
    await first.stop();
    await first.exited;
    const second = await start();
    expect(await query(second.ownerUrl, "SELECT n FROM kept")).toEqual([7]);
  });

  test("keeps acknowledged writes when its parent is killed", async () => {
    const parent = spawn(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve("./launcher.ts"))};
         const postgres = await startEmbeddedPostgres({ root: ${JSON.stringify(root)} });
         console.log(JSON.stringify({ pid: postgres.pid, url: postgres.ownerUrl }));`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const [line] = await once(createInterface({ input: parent.stdout }), "line");
    const { pid, url } = JSON.parse(String(line));
    await query(url, "CREATE TABLE acknowledged AS SELECT 1 AS n");
    parent.kill("SIGKILL");
    const postgres = await start();
    expect(postgres.pid).not.toBe(pid);
    expect(await query(postgres.ownerUrl, "SELECT n FROM acknowledged")).toEqual([1]);
  });

  test("starts again after the server was killed with clients connected", async () => {
    const first = await start();
    const client = new Client({ connectionString: first.ownerUrl });
    client.on("error", () => undefined);
    await client.connect();
    await client.query("CREATE TABLE acknowledged AS SELECT 1 AS n");
    process.kill(first.pid, "SIGKILL");
    await first.exited;
    const second = await start();
    expect(await query(second.ownerUrl, "SELECT n FROM acknowledged")).toEqual([1]);
  });

  test("ignores a postmaster.pid whose pid belongs to another program", async () => {
    const first = await start();
    const file = path.join(root, "data/postmaster.pid");
    const content = await readFile(file, "utf8");
    process.kill(first.pid, "SIGKILL");
    await first.exited;
    await writeFile(file, content.replace(/^\d+/, String(process.pid)));
    const second = await start();
    expect(await query(second.ownerUrl, "SELECT 1")).toEqual([1]);
  });

  test("replaces a cluster whose creation was killed", async () => {
    await mkdir(path.join(root, "data.unfinished"));
    await writeFile(path.join(root, "data.unfinished/PG_VERSION"), "18");
    const postgres = await start();
    expect(await query(postgres.ownerUrl, "SELECT 1")).toEqual([1]);
  });

  test("accepts a root whose path is too long for a socket", async () => {
    const long = path.join(root, "a".repeat(60), "b".repeat(60));
    const postgres = await start(long);
    expect(await query(postgres.runtimeUrl, "SELECT 1")).toEqual([1]);
  });

  test("reports why it does not start", async () => {
    const wrong = startEmbeddedPostgres({ root, settings: { shared_buffers: "nonsense" } });
    await expect(wrong).rejects.toThrow("shared_buffers");
  });

  test("asks for a password, which no other user can read", async () => {
    const postgres = await start();
    for (const url of [postgres.ownerUrl, postgres.runtimeUrl]) {
      const wrong = new URL(url);
      wrong.password = "wrong";
      await expect(query(wrong.href, "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
    }
    expect((await stat(path.join(root, "passwords.json"))).mode & 0o777).toBe(0o600);
    expect(await readFile(path.join(root, "data/pg_hba.conf"), "utf8")).not.toContain("trust");
  });

  test("gives roles of an earlier release, which asked for none, their passwords", async () => {
    const first = await start();
    await query(first.ownerUrl, "CREATE TABLE kept AS SELECT 7 AS n");
    await query(first.ownerUrl, "ALTER ROLE palisade_app PASSWORD NULL");
    await query(first.ownerUrl, "ALTER ROLE palisade_owner PASSWORD NULL");
    await first.stop();
    await rm(path.join(root, "passwords.json"));
    await writeFile(path.join(root, "data/pg_hba.conf"), "local all all trust\n");
    const second = await start();
    expect(await query(second.ownerUrl, "SELECT n FROM kept")).toEqual([7]);
    const wrong = second.runtimeUrl.replace(/palisade_app:[^@]+/, "palisade_app:wrong");
    await expect(query(wrong, "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
    expect(await query(second.runtimeUrl, "SELECT 1 AS one")).toEqual([1]);
  });

  test("makes new passwords when the file was lost, and keeps them over a restart", async () => {
    const first = await start();
    await first.stop();
    await rm(path.join(root, "passwords.json"));
    const second = await start();
    expect(second.ownerUrl).not.toBe(first.ownerUrl);
    expect(await query(second.runtimeUrl, "SELECT 1 AS one")).toEqual([1]);
    await second.stop();
    expect((await start()).ownerUrl).toBe(second.ownerUrl);
  });

  test("closes its socket to other users", async () => {
    const postgres = await start();
    const folder = new URL(postgres.ownerUrl).searchParams.get("host") ?? "";
    expect((await stat(folder)).mode & 0o077).toBe(0);
  });

  describe.skipIf(!isRoot)(
    "for root in a folder that other users cannot enter (needs root)",
    () => {
      const systemFolders = new Set<string>();

      async function startClosed(): Promise<EmbeddedPostgres> {
        await mkdir(root, { recursive: true });
        await chmod(root, 0o700);
        const postgres = await start();
        const socketFolder = new URL(postgres.ownerUrl).searchParams.get("host") ?? "";
        expect(socketFolder).toMatch(/^\/var\/lib\/palisade\/[0-9a-f]{16}\/socket$/);
        systemFolders.add(path.dirname(socketFolder));
        return postgres;
      }

      afterEach(async () => {
        await stopAll();
        for (const folder of systemFolders) {
          const siblings = await readdir(path.dirname(folder));
          for (const name of siblings.filter((sibling) =>
            sibling.startsWith(path.basename(folder)),
          )) {
            await rm(path.join(path.dirname(folder), name), { recursive: true });
          }
        }
        systemFolders.clear();
      });

      test("runs from the system's state folder and finds its data again", async () => {
        const first = await startClosed();
        await query(first.ownerUrl, "CREATE TABLE kept AS SELECT 7 AS n");
        await first.stop();
        const second = await startClosed();
        expect(await query(second.ownerUrl, "SELECT n FROM kept")).toEqual([7]);
      });

      test("starts empty after the folder was deleted, and moves the old data aside", async () => {
        const first = await startClosed();
        await query(first.ownerUrl, "CREATE TABLE old ()");
        await first.stop();
        await rm(root, { recursive: true });
        const second = await startClosed();
        await expect(query(second.ownerUrl, "SELECT FROM old")).rejects.toThrow("does not exist");
        const names = await readdir("/var/lib/palisade");
        const [folder = ""] = systemFolders;
        expect(names.filter((name) => name.startsWith(path.basename(folder)))).toHaveLength(2);
      });

      test("refuses to start without its data when the folder was closed later", async () => {
        const first = await start();
        await first.stop();
        await chmod(root, 0o700);
        await expect(start()).rejects.toThrow("cannot enter that folder");
      });
    },
  );
});
