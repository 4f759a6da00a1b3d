import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("out of file descriptors a call fails with a reason, and the edge goes on", () => {
  const script = `import { openSync } from "node:fs";
    import { runNft } from "#src/firewall/run-nft.ts";
    process.stdout.write("");
    try { for (;;) openSync("/dev/null"); } catch {}
    const result = await runNft(["list", "tables"]);
    process.stdout.write(result.ok ? "made" : result.reason);`;
  const node = [process.execPath, "--input-type=module", "-e", script];
  const said = execFileSync("sh", ["-c", 'ulimit -n 64; exec "$@"', "sh", ...node], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    encoding: "utf8",
  });
  expect(said).not.toBe("made");
  expect(said).not.toBe("");
});
