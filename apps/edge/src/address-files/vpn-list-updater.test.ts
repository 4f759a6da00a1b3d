import { mkdir, readdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestFolder } from "@palisade/control-client/testing/recorder";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { VpnLookup } from "#src/rules/address-lookups.ts";
import { mmdbOf } from "@palisade/testing/mmdb";
import { ListThread } from "./list-thread.ts";
import type { SourceFile } from "./read-source.ts";
import type { ParsedList, SourceRead } from "./parsed-list.ts";
import { type ListStatus, VpnListUpdater } from "./vpn-list-updater.ts";
import { vpnMetrics } from "./vpn-metrics.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

let folder: string;
let lines: { message: string; problem?: unknown; path?: unknown }[];
let lookup: VpnLookup;

beforeEach(async () => {
  const made = await createTestFolder();
  ends.push(async () => made[Symbol.asyncDispose]());
  folder = join(made.path, "vpn");
  await mkdir(folder);
  lines = [];
  lookup = new VpnLookup();
});

/** A thread with troubles of its own, which pass. */
class TroubledThread extends ListThread {
  readonly reads: string[] = [];
  failsToRead = "";
  failsToCombine = false;

  override async read(file: SourceFile): Promise<SourceRead> {
    this.reads.push(file.path);
    if (!file.path.endsWith(this.failsToRead || "none")) return super.read(file);
    return { problem: "EMFILE: too many open files", isPassing: true };
  }

  override combine(images: readonly ParsedList[]) {
    return this.failsToCombine ? Promise.reject(new Error("out of memory")) : super.combine(images);
  }
}

/** Checks when the test asks for it and, once started, whenever the system reports a change. */
function updaterOf(
  places: readonly string[] = [folder],
  thread = new ListThread(),
): VpnListUpdater {
  const log = (facts: object, message: string): void => void lines.push({ ...facts, message });
  const updater = new VpnListUpdater({
    paths: places,
    lastGoodFolder: join(folder, "..", "spare"),
    onTable: (table) => lookup.use(table),
    log: { info: log, warn: log },
    nowMs: () => Date.now(),
    lookEveryMs: 3_600_000,
    thread,
  });
  ends.push(() => updater.stop());
  return updater;
}

function put(name: string, content: string | Buffer): Promise<void> {
  return writeFile(join(folder, name), content);
}

function listOf(address: string): string | undefined {
  return lookup.find(parseIp(address) ?? new Uint8Array(4))?.facts["list"];
}

function told(message: RegExp) {
  return lines.filter((line) => message.test(line.message));
}

describe("VPN lists of a folder", () => {
  test("are in use once the edge has started, of every format, and nothing else is taken", async () => {
    await put("tor exits.txt", "192.0.2.1\n");
    await put("hosting.netset", "198.51.100.0/24\nAS64496\n");
    await put("asn.mmdb", mmdbOf([["203.0.113.0/24", { autonomous_system_number: 64_496 }]]));
    await put(".hidden.txt", "192.0.2.9\n");
    await put("notes.md", "192.0.2.9\n");
    await put("half.txt.1-1.tmp", "192.0.2.9\n");
    // The file system does not use this process's clock if faketime sets it.
    const now = new Date();
    for (const name of await readdir(folder)) await utimes(join(folder, name), now, now);
    const updater = updaterOf();
    await updater.start();
    const addresses = ["192.0.2.1", "198.51.100.9", "203.0.113.9", "192.0.2.9"];
    expect(addresses.map(listOf)).toEqual(["tor_exits", "hosting", "hosting", undefined]);
    expect(updater.lists()).toMatchObject([
      { name: "asn", entries: 1, isBroken: false },
      { name: "hosting", entries: 2, isBroken: false },
      { name: "tor_exits", entries: 1, isBroken: false },
    ]);
    for (const { ageMs } of updater.lists()) expect(ageMs).toBeLessThan(600_000);
  });

  test("come, change, are replaced and go while the edge runs", async () => {
    await rm(folder, { recursive: true });
    const updater = updaterOf();
    await updater.start();
    await mkdir(folder);
    await put("a.txt", "192.0.2.1\n");
    await until(() => listOf("192.0.2.1") === "a", { what: "a folder that comes later" });
    await put("a.txt", "192.0.2.2\n");
    await until(() => listOf("192.0.2.2") === "a" && listOf("192.0.2.1") === undefined);
    await put("new.tmp", "192.0.2.3\n");
    await rename(join(folder, "new.tmp"), join(folder, "a.txt"));
    await until(() => listOf("192.0.2.3") === "a" && listOf("192.0.2.2") === undefined);
    await rm(join(folder, "a.txt"));
    await until(() => listOf("192.0.2.3") === undefined);
    expect(updater.lists()).toEqual([]);
  });

  test("a broken one goes on as it last was, and says once where it is broken", async () => {
    await put("a.txt", "192.0.2.1\n192.0.2.2\n");
    await put("asn.mmdb", mmdbOf([["203.0.113.0/24", { is_anonymous_vpn: true }]]));
    const updater = updaterOf();
    await updater.check();
    await put("a.txt", "192.0.2.3\noops\n");
    await put("asn.mmdb", "half a file");
    await updater.check();
    await updater.check();
    expect(["192.0.2.1", "192.0.2.3", "203.0.113.1"].map(listOf)).toEqual(["a", undefined, "asn"]);
    expect(told(/goes on/)).toEqual([
      expect.objectContaining({
        path: join(folder, "a.txt"),
        problem: 'line 2: "oops" is no address, CIDR range or AS number',
      }),
      expect.objectContaining({ problem: expect.stringMatching(/^is damaged/) }),
    ]);
    expect(updater.lists()).toMatchObject([{ isBroken: true, entries: 2 }, { isBroken: true }]);
    await put("a.txt", "192.0.2.3\n");
    await updater.check();
    expect(["192.0.2.1", "192.0.2.3"].map(listOf)).toEqual([undefined, "a"]);
    expect(updater.lists()).toMatchObject([{ isBroken: false }, { isBroken: true }]);
  });

  test("a broken list that a start finds is used in its last good version", async () => {
    const addresses = ["192.0.2.1", "203.0.113.1"];
    await put("a.txt", "192.0.2.1\n");
    await put("asn.mmdb", mmdbOf([["203.0.113.0/24", { is_anonymous_vpn: true }]]));
    const before = updaterOf();
    await before.check();
    before.stop();
    lookup = new VpnLookup();
    await put("a.txt", "192.0.2.3\noops\n");
    await put("asn.mmdb", "half a file");
    const after = updaterOf();
    await after.check();
    expect(addresses.map(listOf)).toEqual(["a", "asn"]);
    expect(after.lists()).toMatchObject([{ isBroken: true, entries: 1 }, { isBroken: true }]);
    await rm(join(folder, "a.txt"));
    await after.check();
    expect(addresses.map(listOf)).toEqual([undefined, "asn"]);
    expect(await readdir(join(folder, "..", "spare"))).toHaveLength(1);
  });

  test("a list that is broken from the first is used as far as it can be read", async () => {
    await put("a.txt", "192.0.2.1\n0.0.0.0/0\n");
    const updater = updaterOf();
    await updater.check();
    expect(["192.0.2.1", "192.0.2.2"].map(listOf)).toEqual(["a", undefined]);
    expect(updater.lists()).toMatchObject([{ isBroken: true, entries: 1 }]);
  });

  test("a list that was never in order is used as far as it can be read, until a good version comes", async () => {
    await put("a.txt", "192.0.2.1\noops\n");
    const updater = updaterOf();
    await updater.check();
    await put("a.txt", "192.0.2.2\noops\n");
    await updater.check();
    expect(["192.0.2.1", "192.0.2.2"].map(listOf)).toEqual([undefined, "a"]);
    expect(told(/goes on/)).toEqual([]);
    await put("a.txt", "<html>\n</html>\n");
    await updater.check();
    expect(listOf("192.0.2.2")).toBe("a");
    await put("a.txt", "192.0.2.3\n");
    await updater.check();
    await put("a.txt", "192.0.2.4\noops\n");
    await updater.check();
    expect(["192.0.2.3", "192.0.2.4"].map(listOf)).toEqual(["a", undefined]);
    expect(told(/goes on/)).toHaveLength(1);
  });

  test("a list that could not be read for a reason other than its content is read at the next check", async () => {
    await put("a.txt", "192.0.2.1\n");
    const thread = new TroubledThread();
    thread.failsToRead = "/a.txt";
    const updater = updaterOf([folder], thread);
    await updater.check();
    await updater.check();
    expect(listOf("192.0.2.1")).toBeUndefined();
    expect(told(/broken/)).toHaveLength(1);
    thread.failsToRead = "";
    await updater.check();
    expect(listOf("192.0.2.1")).toBe("a");
    expect(updater.lists()).toMatchObject([{ isBroken: false }]);
    const { length } = thread.reads;
    await updater.check();
    expect(thread.reads).toHaveLength(length);
  });

  test("lists that could not be made one table are made one with the next look, and count as broken until then", async () => {
    await put("a.txt", "192.0.2.1\n");
    const thread = new TroubledThread();
    thread.failsToCombine = true;
    const updater = updaterOf([folder], thread);
    await updater.check();
    await updater.check();
    expect(updater.lists()).toMatchObject([{ isBroken: true }]);
    expect(told(/not all in use/)).toEqual([expect.objectContaining({ problem: "out of memory" })]);
    thread.failsToCombine = false;
    await updater.check();
    expect(listOf("192.0.2.1")).toBe("a");
    expect(updater.lists()).toMatchObject([{ isBroken: false }]);
  });

  test("if there are too many files the first are used, and that is logged once", async () => {
    for (let n = 0; n < 66; n++)
      await put(`list-${String(n).padStart(2, "0")}.txt`, `192.0.2.${n}\n`);
    const updater = updaterOf();
    await updater.check();
    await updater.check();
    expect(["192.0.2.0", "192.0.2.63", "192.0.2.64"].map(listOf)).toEqual([
      "list-00",
      "list-63",
      undefined,
    ]);
    expect(told(/not all in use/)).toEqual([
      expect.objectContaining({ problem: "left out: 2 files after the first 64" }),
    ]);
  });

  test("a look that the edge's end meets says nothing of the files, and reads no more of them", async () => {
    for (const name of ["a", "b", "c"]) await put(`${name}.txt`, "192.0.2.1\n");
    const thread = new TroubledThread();
    const updater = updaterOf([folder], thread);
    const looking = updater.check();
    await until(() => thread.reads.length === 1);
    updater.stop();
    await looking;
    expect(lines.filter(({ message }) => message !== "VPN list taken")).toEqual([]);
    expect(
      new Set(thread.reads.filter((path) => path.endsWith(".txt") && path.includes("/vpn/"))),
    ).toEqual(new Set([join(folder, "a.txt")]));
    expect(await thread.read({ path: join(folder, "b.txt"), name: "b" })).toMatchObject({
      problem: "the edge has stopped",
    });
  });

  test("are read anew on request, changed or not", async () => {
    await put("a.txt", "192.0.2.1\n");
    const updater = updaterOf();
    await updater.check();
    await updater.check();
    expect(told(/taken/)).toHaveLength(1);
    await updater.reload();
    expect(told(/taken/)).toHaveLength(2);
  });

  test("name AS numbers in vain where no file says whose they are, and say so once", async () => {
    await put("a.txt", "AS64496\n");
    const updater = updaterOf();
    await updater.check();
    await updater.reload();
    expect(told(/no \.mmdb file/)).toHaveLength(1);
  });

  test("a file that is named by itself may be called anything, and is missed where it is not there", async () => {
    await put("blocked", "192.0.2.1\n");
    await symlink(join(folder, "blocked"), join(folder, "link.conf"));
    const missing = join(folder, "missing.txt");
    const updater = updaterOf([join(folder, "link.conf"), missing]);
    await updater.check();
    expect(listOf("192.0.2.1")).toBe("link");
    expect(told(/broken/)).toEqual([
      expect.objectContaining({ path: missing, problem: expect.stringContaining("ENOENT") }),
    ]);
  });

  test("lookups meet the old table or the new one, never a mixture", async () => {
    const texts = ["192.0.2.0/25\n198.51.100.1\n", "192.0.2.128/25\n198.51.100.2\n"];
    await put("a.txt", texts[0] ?? "");
    const updater = updaterOf();
    await updater.check();
    const seen = new Set<string>();
    for (let round = 1; round <= 3; round++) {
      await put("a.txt", `${texts[round % 2]}${"# longer\n".repeat(round)}`);
      const looked = new AbortController();
      const looking = updater.check().finally(() => looked.abort());
      while (!looked.signal.aborted) {
        const found = ["192.0.2.1", "198.51.100.1", "192.0.2.200", "198.51.100.2"].map(listOf);
        seen.add(found.map((list) => list ?? "-").join(" "));
        await new Promise(setImmediate);
      }
      await looking;
    }
    expect([...seen].toSorted()).toEqual(["- - a a", "a a - -"]);
  });
});

test("a file that holds up its reader is given up, and the next one is read", async () => {
  await put("a.txt", "192.0.2.1\n");
  const file = { path: join(folder, "a.txt"), name: "a" };
  // A thread cannot even start in that time.
  const impatient = new ListThread(1);
  expect(await impatient.read(file)).toMatchObject({ problem: "takes longer than 1 ms" });
  expect(await impatient.read(file)).toMatchObject({ problem: "takes longer than 1 ms" });
  const patient = new ListThread();
  expect(await patient.read(file)).toMatchObject({ image: { entries: 1 } });
  patient.close();
});

test("metrics show the worst values of files with one name", async () => {
  const lists: ListStatus[] = [
    { name: "a", entries: 2, ageMs: 9_000, isBroken: true },
    { name: "a", entries: 3, ageMs: 1_000, isBroken: false },
  ];
  const told = await Promise.all(vpnMetrics(() => lists).map((metric) => metric.get()));
  expect(told.map(({ values }) => values.map(({ value }) => value))).toEqual([[5], [9], [1]]);
});
