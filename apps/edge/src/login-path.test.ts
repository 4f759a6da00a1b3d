import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** An engineer who looks for a fault of a login has to read no more files than these. */
const filesMax = 44;

const program = fileURLToPath(new URL("testing/login-path/run.ts", import.meta.url));
const documentUrl = new URL("../../../docs/architecture.md", import.meta.url);
const own = "apps/edge/src/";
/** The edge's decisions about logins, which it shares with the api. */
const rules = "packages/login-rules/src/";

interface Called {
  readonly worker: readonly string[];
  readonly relay: readonly string[];
}

/** The numbered list below its heading. */
function documented(): string[] {
  const [, section = ""] = readFileSync(documentUrl, "utf8").split("### Its files\n");
  const [list = ""] = section.split("\n#");
  return list.match(/^\d+\. `[^`]+`/gm)?.map((line) => line.replace(/^\d+\. `|`$/g, "")) ?? [];
}

test("an admitted login passes the files that the documents list, and no more than an engineer can read", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  // The program prints nothing else.
  const { worker, relay } = JSON.parse(stdout) as Called;
  const called = [...new Set([...worker, ...relay])];
  const files = called
    .filter((file) => file.startsWith(own) || file.startsWith(rules))
    .map((file) => (file.startsWith(own) ? file.slice(own.length) : file));
  expect(files).toContain("connection/login.ts");
  expect(files.toSorted()).toEqual(documented().toSorted());
  expect(files.length).toBeLessThanOrEqual(filesMax);
});
