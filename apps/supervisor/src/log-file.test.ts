import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLogFile } from "./log-file.ts";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "palisade-log-"));
});

afterEach(() => rm(home, { recursive: true }));

test("the tail of a log is its last lines, with the messages of JSON lines", () => {
  const log = openLogFile(home, "api");
  log.write("first");
  log.write('{"level":50,"msg":"cannot listen","err":{"message":"EADDRINUSE"}}');
  log.write("{not json");
  expect(log.tail(2)).toBe("cannot listen: EADDRINUSE\n{not json");
  log.close();
});

test("neither a full disk nor a line after closing throws", () => {
  mkdirSync(path.join(home, "logs"));
  symlinkSync("/dev/full", path.join(home, "logs/postgres.log"));
  const log = openLogFile(home, "postgres");
  expect(() => log.write("could not extend file: No space left on device")).not.toThrow();
  log.close();
  expect(() => log.write("too late")).not.toThrow();
});

test("a large log is moved aside", async () => {
  mkdirSync(path.join(home, "logs"));
  writeFileSync(path.join(home, "logs/api.log"), Buffer.alloc(33 * 1024 * 1024, "x"));
  const log = openLogFile(home, "api");
  log.write("fresh");
  expect(log.tail(5)).toBe("fresh");
  expect((await stat(path.join(home, "logs/api.log.1"))).size).toBe(33 * 1024 * 1024);
  log.close();
});
