import { fork, type ChildProcess } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { unlink } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createTestFolder, createLogRecorder } from "@palisade/control-client/testing/recorder";
import {
  startControlPlaneServer,
  type ControlPlaneServer,
} from "@palisade/control-client/testing/control-plane-server";
import { programEnvironment } from "@palisade/testing/program-environment";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startZoneDns, type ZoneDns } from "#src/compose.ts";
import { bindKey, bindMissing, powerlessKey, startBind, type Bind } from "#src/test-bind.ts";
import { edgesOf, labelOf, shieldOf, testZone } from "#src/test-zone.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const firstLabel = `yyyyyyyyyyyy.${testZone}`;
const secondLabel = `zzzzzzzzzzzz.${testZone}`;

const edges = (changes: { healthy?: boolean; drained?: boolean } = {}) =>
  edgesOf(
    { location: "frankfurt", addresses: ["203.0.113.1", "2001:db8::1"], ...changes },
    { location: "frankfurt", addresses: ["203.0.113.2"] },
    { location: "dallas", addresses: ["198.51.100.1"] },
  );

interface World {
  readonly api: ControlPlaneServer;
  readonly bind: Bind;
  /** State of zone DNS. */
  readonly folder: string;
  /** `name ttl type value` of the records added to the zone, sorted. */
  exported(): Promise<string[]>;
}

interface Scene extends World {
  readonly log: ReturnType<typeof createLogRecorder>;
  dns: ZoneDns;
  stopDns(): Promise<void>;
  startDns(): Promise<void>;
}

interface SceneOptions {
  readonly key?: { readonly name: string; readonly secret: string };
  readonly repeatMs?: number;
  readonly zoneOfBind?: string;
}

async function startWorld(zoneOfBind: string): Promise<World> {
  const api = await startControlPlaneServer({ kind: "dns" });
  ends.push(() => api.close());
  const bind = await startBind(zoneOfBind);
  ends.push(() => bind.remove());
  const foreign = new Set((await bind.records()).map(textOf));
  const folder = await createTestFolder();
  ends.push(async () => folder[Symbol.asyncDispose]());
  return {
    api,
    bind,
    folder: folder.path,
    async exported() {
      const records = (await bind.records()).map(textOf);
      // Records that were there before stay, whatever is exported.
      expect(records.filter((record) => foreign.has(record))).toHaveLength(foreign.size);
      return records.filter((record) => !foreign.has(record)).toSorted();
    },
  };
}

async function startScene(options: SceneOptions = {}): Promise<Scene> {
  const world = await startWorld(options.zoneOfBind ?? testZone);
  const { api, bind, folder } = world;
  const log = createLogRecorder();
  const start = (): Promise<ZoneDns> =>
    startZoneDns(
      {
        folder,
        logLevel: "silent",
        apiUrl: api.url,
        token: api.token,
        zone: testZone,
        host: "127.0.0.1",
        port: 0,
        addresses: [],
        metricsPort: 0,
        exportTo: {
          server: { host: "127.0.0.1", port: bind.port },
          key: options.key ?? bindKey,
        },
      },
      log,
      {
        gatherMs: 1,
        retry: { baseMs: 20, capMs: 100 },
        ...(options.repeatMs === undefined ? {} : { repeatMs: options.repeatMs }),
      },
    );
  const scene: Scene = {
    ...world,
    log,
    dns: await start(),
    stopDns: () => scene.dns.stop(),
    async startDns() {
      scene.dns = await start();
    },
  };
  ends.push(() => scene.dns.stop());
  return scene;
}

/** The program itself, so that it can be killed. */
function startProgram({ folder, api, bind }: World): ChildProcess {
  return fork(fileURLToPath(new URL("main.ts", import.meta.url)), {
    env: {
      ...programEnvironment,
      PALISADE_HOME: folder,
      PALISADE_API_URL: api.url,
      PALISADE_EDGE_TOKEN: api.token,
      PALISADE_DNS_PORT: "0",
      PALISADE_DNS_UPDATE_SERVER: `127.0.0.1:${bind.port}`,
      PALISADE_DNS_UPDATE_KEY: `${bindKey.name}:${bindKey.secret}`,
    },
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

async function kill(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const ended = once(program, "exit");
  program.kill("SIGKILL");
  await ended;
}

function textOf(record: { name: string; ttl: number; type: string; value: string }): string {
  return `${record.name} ${record.ttl} ${record.type} ${record.value}`;
}

function change(api: ControlPlaneServer, ...shields: ReturnType<typeof shieldOf>[]): void {
  api.change(
    shields.map((config) => ({ shield_id: config.shield_id, revision: config.revision, config })),
  );
}

async function expectExported(scene: Scene, expected: readonly string[]): Promise<void> {
  let last: string[] = [];
  await until(
    async () => {
      last = await scene.exported();
      return JSON.stringify(last) === JSON.stringify(expected);
    },
    { what: "the export", everyMs: 50 },
  ).catch(() => undefined);
  expect(last).toEqual(expected);
}

const inFrankfurt = (name: string): string[] => [
  `${name} 30 A 203.0.113.1`,
  `${name} 30 A 203.0.113.2`,
  `${name} 30 AAAA 2001:db8::1`,
];
const inDallas = (name: string): string[] => [`${name} 30 A 198.51.100.1`];

describe("export to a real primary (BIND) by DNS UPDATE", () => {
  beforeEach(({ skip }) => skip(bindMissing !== undefined, bindMissing));

  test("labels come, change and go with their shields, and nothing else is touched", async () => {
    const scene = await startScene();
    const { api } = scene;
    api.setZone(edges());
    change(api, shieldOf(1, firstLabel, "frankfurt"));
    await expectExported(scene, inFrankfurt(firstLabel));
    change(api, shieldOf(2, secondLabel, "dallas"));
    await expectExported(scene, [...inFrankfurt(firstLabel), ...inDallas(secondLabel)]);
    change(api, shieldOf(1, firstLabel, "dallas", 2));
    await expectExported(scene, [...inDallas(firstLabel), ...inDallas(secondLabel)]);
    api.change([], [shieldOf(1, firstLabel, "dallas").shield_id]);
    await expectExported(scene, inDallas(secondLabel));
    expect(scene.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("a drained or dead edge disappears, and comes back when it is healthy", async () => {
    const scene = await startScene();
    const { api } = scene;
    api.setZone(edges());
    change(api, shieldOf(1, firstLabel, "frankfurt"));
    await expectExported(scene, inFrankfurt(firstLabel));
    for (const changes of [{ drained: true }, { healthy: false }]) {
      api.setZone(edges(changes));
      await expectExported(scene, [`${firstLabel} 30 A 203.0.113.2`]);
      api.setZone(edges());
      await expectExported(scene, inFrankfurt(firstLabel));
    }
    api.setZone(edgesOf({ location: "dallas", addresses: ["198.51.100.1"] }));
    await expectExported(scene, []);
  });

  test("names that are not our labels are never touched, also if they look like labels elsewhere", async () => {
    const scene = await startScene();
    const { api } = scene;
    api.setZone(edges());
    change(
      api,
      shieldOf(1, firstLabel, "frankfurt"),
      shieldOf(2, `www.${testZone}`, "frankfurt"),
      shieldOf(3, `abcdefghijkl.sub.${testZone}`, "frankfurt"),
      shieldOf(4, `abcdefghijk8.${testZone}`, "frankfurt"),
      shieldOf(5, testZone, "frankfurt"),
      shieldOf(6, "cccccccccccc.example.test", "frankfurt"),
    );
    await expectExported(scene, inFrankfurt(firstLabel));
    // A record of another type on our name is not ours.
    await scene.bind.change(`update add ${firstLabel} 60 TXT note`);
    change(api, shieldOf(1, firstLabel, "dallas", 2));
    await expectExported(scene, [...inDallas(firstLabel), `${firstLabel} 60 TXT "note"`]);
  });

  test("after a restart it leaves correct records alone and removes labels of deleted shields", async () => {
    const scene = await startScene();
    const { api, bind } = scene;
    api.setZone(edges());
    change(api, shieldOf(1, firstLabel, "frankfurt"), shieldOf(2, secondLabel, "dallas"));
    await expectExported(scene, [...inFrankfurt(firstLabel), ...inDallas(secondLabel)]);
    await until(() => api.reported.at(-1) === api.version());
    const serial = await bind.serial();
    await scene.stopDns();
    await bind.change(`update delete ${secondLabel} A`);
    await scene.startDns();
    await expectExported(scene, [...inFrankfurt(firstLabel), ...inDallas(secondLabel)]);
    // One write by hand, one by the export: the other label was not written.
    expect(await bind.serial()).toBe(serial + 2);

    await scene.stopDns();
    api.change([], [shieldOf(1, firstLabel, "frankfurt").shield_id]);
    await scene.startDns();
    await expectExported(scene, inDallas(secondLabel));
  });

  test("a shield missing from the last good copy keeps its label until the control plane answers", async () => {
    const scene = await startScene();
    const { api, log, folder } = scene;
    const [lost, kept] = [shieldOf(1, firstLabel, "frankfurt"), shieldOf(2, secondLabel, "dallas")];
    const both = [...inFrankfurt(firstLabel), ...inDallas(secondLabel)];
    api.setZone(edges());
    change(api, lost, kept);
    await expectExported(scene, both);
    await until(() => api.reported.at(-1) === api.version());
    await scene.stopDns();
    await unlink(`${folder}/config/${lost.shield_id}.shield`);
    api.fail("config", 500);
    const exports = () => log.lines.filter(({ message }) => message === "labels exported").length;
    const before = exports();
    await scene.startDns();
    await until(() => exports() > before);
    expect(await scene.exported()).toEqual(both);
    api.change([], [lost.shield_id]);
    api.fail("config", null);
    await expectExported(scene, inDallas(secondLabel));
  });

  test("a server that comes back, even with older data, gets everything", async () => {
    const scene = await startScene();
    const { api, bind, log } = scene;
    api.setZone(edges());
    change(api, shieldOf(1, firstLabel, "frankfurt"));
    await expectExported(scene, inFrankfurt(firstLabel));
    await bind.reset();
    change(api, shieldOf(2, secondLabel, "dallas"));
    const isTold = () => log.lines.filter(({ message }) => message.includes("PALISADE_DNS_UPDATE"));
    await until(() => isTold().length > 0);
    expect(isTold()[0]?.message).toContain("check PALISADE_DNS_UPDATE_SERVER");
    await bind.start();
    await expectExported(scene, [...inFrankfurt(firstLabel), ...inDallas(secondLabel)]);
    await until(() => log.lines.some(({ message }) => message === "labels are exported again"));
    // However often it was tried.
    expect(isTold()).toHaveLength(1);
  });

  test("changes made on the server are corrected in time", async () => {
    const scene = await startScene({ repeatMs: 50 });
    const { api, bind } = scene;
    api.setZone(edges());
    change(api, shieldOf(1, firstLabel, "frankfurt"));
    await expectExported(scene, inFrankfurt(firstLabel));
    await bind.change(
      `update delete ${firstLabel} AAAA`,
      `update add ${firstLabel} 900 A 192.0.2.99`,
    );
    await expectExported(scene, inFrankfurt(firstLabel));
  });

  test.each([
    {
      what: "a wrong secret",
      key: { ...bindKey, secret: Buffer.alloc(32, 1).toString("base64") },
      told: "BADSIG",
      setting: "PALISADE_DNS_UPDATE_KEY",
    },
    {
      what: "an unknown key",
      key: { ...bindKey, name: "palisade-unknown" },
      told: "BADKEY",
      setting: "PALISADE_DNS_UPDATE_KEY",
    },
    {
      what: "a key without the right",
      key: powerlessKey,
      told: "REFUSED",
      setting: "PALISADE_DNS_UPDATE_KEY",
    },
    {
      what: "a zone that is not the server's",
      key: bindKey,
      told: "NOTAUTH",
      setting: "PALISADE_ZONE",
      zoneOfBind: "other.test",
    },
  ])(
    "$what is told once, with the setting, and questions are answered all the same",
    async ({ key, told, setting, zoneOfBind }) => {
      const scene = await startScene({ key, ...(zoneOfBind === undefined ? {} : { zoneOfBind }) });
      const { api, log } = scene;
      api.setZone(edges());
      change(api, shieldOf(1, firstLabel, "frankfurt"));
      const errors = () => log.lines.filter(({ level }) => level === "error");
      await until(() => errors().length > 0);
      expect(errors()[0]?.message).toContain(told);
      expect(errors()[0]?.message).toContain(setting);
      expect(JSON.stringify(log.lines)).not.toContain(key.secret);
      for (const revision of [2, 3]) {
        change(api, shieldOf(1, firstLabel, "frankfurt", revision));
        await until(() => api.reported.at(-1) === api.version());
      }
      expect(await scene.exported()).toEqual([]);
      expect(errors()).toHaveLength(1);
      const resolver = new Resolver({ timeout: 2_000 });
      resolver.setServers([scene.dns.address]);
      expect(await until(() => resolver.resolve4(firstLabel))).toHaveLength(2);
    },
  );

  test("after a kill in the middle of an export, the next start leaves nothing behind", async () => {
    const world = await startWorld(testZone);
    const { api, exported } = world;
    const shields = Array.from({ length: 400 }, (_, n) => shieldOf(n, labelOf(n), "frankfurt"));
    api.setZone(edges());
    change(api, ...shields);
    const killed = startProgram(world);
    ends.push(() => kill(killed));
    await until(async () => (await exported()).length > 0, { capMs: 60_000 });
    await kill(killed);
    api.change(
      [],
      shields.map(({ shield_id }) => shield_id),
    );
    change(api, shieldOf(999, firstLabel, "dallas"));
    const next = startProgram(world);
    ends.push(() => kill(next));
    const expected = JSON.stringify(inDallas(firstLabel));
    const isExpected = async () => JSON.stringify(await exported()) === expected;
    expect(await until(isExpected, { capMs: 60_000, everyMs: 100 })).toBe(true);
  }, 180_000);

  test("2,000 shields: all are exported, all follow a dead edge, all go", async () => {
    const scene = await startScene();
    const { api } = scene;
    const shields = Array.from({ length: 2_000 }, (_, n) => shieldOf(n, labelOf(n), "frankfurt"));
    api.setZone(edges());
    change(api, ...shields);
    const count = async (): Promise<number> => (await scene.exported()).length;
    const untilCount = (expected: number) =>
      until(async () => (await count()) === expected, { capMs: 60_000, everyMs: 200 });
    await untilCount(6_000);
    api.setZone(edges({ healthy: false }));
    await untilCount(2_000);
    api.change(
      [],
      shields.map(({ shield_id }) => shield_id),
    );
    await untilCount(0);
    expect(scene.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  }, 240_000);
});
