import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { benchFolder, cacheFolder } from "#src/paths.ts";

const sources = {
  datagrams: "load/datagrams.c",
  exchange: "load/exchange.c",
  players: "load/players.c",
  relay: "reference/relay.c",
  responder: "reference/responder.c",
  udpRelay: "reference/udp-relay.c",
  waiting: "load/waiting.c",
} as const;

/** Why no load can be generated; undefined when it can. */
export const compilerMissing = existsSync("/usr/bin/gcc")
  ? undefined
  : "gcc is not installed (sudo apt-get install -y gcc libc6-dev)";

export type CProgram = keyof typeof sources;

const paths = new Map<CProgram, Promise<string>>();

/** Path of a C program, compiled once in this run. @throws when gcc is missing or fails */
export function compiled(name: CProgram): Promise<string> {
  const known = paths.get(name) ?? compile(name);
  paths.set(name, known);
  return known;
}

async function compile(name: CProgram): Promise<string> {
  mkdirSync(cacheFolder, { recursive: true });
  const target = path.join(cacheFolder, name);
  const source = path.join(benchFolder, sources[name]);
  await promisify(execFile)("gcc", ["-O2", "-Wall", "-Wextra", "-o", target, source]);
  return target;
}
