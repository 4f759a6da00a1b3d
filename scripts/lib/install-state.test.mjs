import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { installState } from "./install-state.mjs";

const linux = { os: "linux", cpu: "x64", libc: "glibc" };
const wanted = {
  "": { name: "root" },
  "apps/api": { version: "0.1.0" },
  "node_modules/runtime": { version: "1.0.0" },
  "node_modules/tool": { version: "2.0.0", dev: true },
  "node_modules/binary-linux": { version: "3.0.0", optional: true, os: ["linux"], cpu: ["x64"] },
  "node_modules/binary-mac": { version: "3.0.0", optional: true, os: ["darwin"] },
  "node_modules/binary-musl": { version: "3.0.0", optional: true, cpu: ["x64"], libc: ["musl"] },
  "node_modules/colours": { version: "4.0.0", optional: true },
};

let folder;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "palisade-install-"));
  writeFileSync(path.join(folder, "package-lock.json"), JSON.stringify({ packages: wanted }));
});

afterEach(() => rmSync(folder, { recursive: true }));

function install(packages) {
  for (const place of Object.keys(packages))
    mkdirSync(path.join(folder, place), { recursive: true });
  const file = path.join(folder, "node_modules/.package-lock.json");
  writeFileSync(file, JSON.stringify({ packages }));
}

const pick = (...names) =>
  Object.fromEntries(names.map((name) => [`node_modules/${name}`, wanted[`node_modules/${name}`]]));

describe("the state of an installation", () => {
  test("is stale without node_modules, as an interrupted npm leaves it", () => {
    expect(installState(folder, linux)).toBe("stale");
    mkdirSync(path.join(folder, "node_modules/runtime"), { recursive: true });
    expect(installState(folder, linux)).toBe("stale");
  });

  test("is full without packages for other systems and dispensable ones", () => {
    install(pick("runtime", "tool", "binary-linux"));
    expect(installState(folder, linux)).toBe("full");
  });

  test("is runtime without development tools", () => {
    install(pick("runtime", "binary-linux"));
    expect(installState(folder, linux)).toBe("runtime");
  });

  test("is stale when a version changed or a folder was deleted", () => {
    install({ ...pick("tool", "binary-linux"), "node_modules/runtime": { version: "0.9.0" } });
    expect(installState(folder, linux)).toBe("stale");
    install(pick("runtime", "tool", "binary-linux"));
    rmSync(path.join(folder, "node_modules/runtime"), { recursive: true });
    expect(installState(folder, linux)).toBe("stale");
  });

  test("is stale without the optional binaries of this system", () => {
    install(pick("runtime", "tool"));
    expect(installState(folder, linux)).toBe("stale");
  });
});
