import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const edge = fileURLToPath(new URL("../../../apps/edge/src/main.ts", import.meta.url));

/** The edge's start on a machine that says of itself what is given. */
function startOn(platform: string, arch: string): string {
  const says = `for (const [name, value] of Object.entries({ platform: "${platform}", arch: "${arch}" })) Object.defineProperty(process, name, { value });`;
  const pretend = `data:text/javascript,${encodeURIComponent(says)}`;
  const { status, stderr } = spawnSync(process.execPath, ["--import", pretend, edge], {
    encoding: "utf8",
  });
  expect(status).toBe(1);
  return stderr;
}

test.each([
  ["linux", "riscv64"],
  ["darwin", "arm64"],
])("on %s on %s the edge ends and says what it needs", (platform, arch) => {
  expect(startOn(platform, arch)).toContain(
    `The edge needs Linux on x64 or arm64; this is ${platform} on ${arch}`,
  );
});
