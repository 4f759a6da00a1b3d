import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Resolver } from "node:dns/promises";
import { fileURLToPath } from "node:url";
import { startControlPlaneServer } from "@palisade/control-client/testing/control-plane-server";
import { createTestFolder } from "@palisade/control-client/testing/recorder";
import { programEnvironment } from "@palisade/testing/program-environment";
import { freePort } from "@palisade/testing/free-port";
import { until } from "@palisade/testing/until";
import { describe, expect, test } from "vitest";
import { frankfurtLabel, shieldOf, standardEdges, testZone } from "#src/test-zone.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

function startMain(environment: Record<string, string>): {
  child: ChildProcess;
  output: () => string;
} {
  const child = fork(main, {
    env: {
      ...programEnvironment,
      PALISADE_DNS_PORT: "0",
      PALISADE_DNS_METRICS_PORT: "0",
      ...environment,
    },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return { child, output: () => output };
}

describe("the program", () => {
  test("reports its address, and ends by itself when its parent has ended", async () => {
    await using folder = await createTestFolder();
    const api = await startControlPlaneServer({ kind: "dns" });
    const shield = shieldOf(1, frankfurtLabel, "frankfurt");
    api.change([{ shield_id: shield.shield_id, revision: 1, config: shield }]);
    api.setZone(standardEdges);
    const { child } = startMain({
      PALISADE_HOME: folder.path,
      PALISADE_API_URL: api.url,
      PALISADE_EDGE_TOKEN: api.token,
    });
    const [message] = (await once(child, "message")) as [{ kind: string; dns: string }];
    expect(message.kind).toBe("ready");
    const resolver = new Resolver({ timeout: 2_000 });
    resolver.setServers([message.dns]);
    expect(await until(() => resolver.resolve4(frankfurtLabel))).toHaveLength(2);
    child.disconnect();
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    await api.close();
  });

  test("logs the export's target, answers during its outage and keeps the key secret", async () => {
    await using folder = await createTestFolder();
    const api = await startControlPlaneServer({ kind: "dns" });
    const shield = shieldOf(1, `aaaaaaaaaaaa.${testZone}`, "frankfurt");
    api.change([{ shield_id: shield.shield_id, revision: 1, config: shield }]);
    api.setZone(standardEdges);
    const secret = Buffer.from("a secret of 32 bytes for testing").toString("base64");
    const closed = await freePort();
    const { child, output } = startMain({
      PALISADE_HOME: folder.path,
      PALISADE_API_URL: api.url,
      PALISADE_EDGE_TOKEN: api.token,
      PALISADE_DNS_UPDATE_SERVER: `127.0.0.1:${closed}`,
      PALISADE_DNS_UPDATE_KEY: `palisade-export:${secret}`,
    });
    const [message] = (await once(child, "message")) as [{ kind: string; dns: string }];
    await until(() => output().includes("check PALISADE_DNS_UPDATE_SERVER"));
    expect(output()).toContain("labels are exported by DNS UPDATE");
    const resolver = new Resolver({ timeout: 2_000 });
    resolver.setServers([message.dns]);
    expect(await until(() => resolver.resolve4(shield.label))).toHaveLength(2);
    child.disconnect();
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    expect(output()).not.toContain(secret);
    await api.close();
  });

  test.each([
    { server: "ns.provider.test:53", key: "", told: "PALISADE_DNS_UPDATE_KEY must be set too" },
    { server: "", key: `k:${"A".repeat(44)}`, told: "PALISADE_DNS_UPDATE_SERVER must be set too" },
    {
      server: "ns.provider.test",
      key: "",
      told: "PALISADE_DNS_UPDATE_SERVER must be address:port",
    },
    {
      server: "192.0.2.1:53",
      key: "k:c2hvcnQ=",
      told: "PALISADE_DNS_UPDATE_KEY must be name:secret",
    },
  ])("half an export ends it with a message: $told", async ({ server, key, told }) => {
    const { child, output } = startMain({
      PALISADE_DNS_UPDATE_SERVER: server,
      PALISADE_DNS_UPDATE_KEY: key,
    });
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(output()).toContain(told);
    if (key !== "") expect(output()).not.toContain(key);
  });

  test("ends with a message naming the setting that is wrong", async () => {
    const { child, output } = startMain({ PALISADE_API_URL: "nowhere" });
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(output()).toContain("PALISADE_API_URL must be an http or https URL");
  });

  test("ends with the fix when its token is refused and it has nothing to serve", async () => {
    await using folder = await createTestFolder();
    const api = await startControlPlaneServer({ kind: "dns" });
    const { child, output } = startMain({
      PALISADE_HOME: folder.path,
      PALISADE_API_URL: api.url,
      PALISADE_EDGE_TOKEN: "a-token-that-was-used-before",
    });
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(output()).toContain("edge invite");
    expect(output()).not.toContain("a-token-that-was-used-before");
    await api.close();
  });
});
