import type { Client } from "@palisade/contract/http/client";
import { doctorRoutes, probeRoutes, type DoctorReport } from "@palisade/contract/http/server-setup";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import { until } from "@palisade/testing/until";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGameServer, type GameServer } from "../minecraft/peers.ts";
import { createShield, signUp, type CreatedShield } from "../product/account.ts";
import {
  databaseOf,
  logTails,
  removeHome,
  startPalisade,
  type Palisade,
} from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";
import { startProxyGate, type ProxyGate } from "./proxy-gate.ts";

/** The whole product and a real Minecraft server: what goes wrong in front of it is told, with the fix. */

const host = "127.0.0.1";

let home: string;
let customer: FakeZone;
let palisade: Palisade;
let game: GameServer;
let wanting: ProxyGate;
let refusing: ProxyGate;
let owner: Client;
let serial = 0;

beforeAll(async () => {
  home = await createPreparedHome();
  customer = await startFakeZone({ origin: "example.test" });
  [palisade, game] = await Promise.all([
    startPalisade(home, { PALISADE_DNS_RESOLVERS: customer.address }),
    startGameServer("Skyline up and running"),
  ]);
  wanting = await startProxyGate(game.port, "required");
  refusing = await startProxyGate(game.port, "refused");
  owner = await signUp(palisade.consoleUrl, "owner@example.com");
});

afterAll(async () => {
  await wanting?.close();
  await refusing?.close();
  await game?.kill();
  await palisade?.stop();
  await customer?.close();
  if (home !== undefined) await removeHome(home);
});

/** A shield whose domain leads to it, so that only the server behind it is left to complain about. */
async function shieldFor(port: number): Promise<CreatedShield> {
  const shield = await createShield(owner, { host, port }, `play${++serial}.example.test`);
  const record = { type: "CNAME", name: shield.domain, value: shield.label } as const;
  customer.records = [...customer.records, record];
  return shield;
}

async function examine({ id }: CreatedShield): Promise<DoctorReport> {
  return (await owner(doctorRoutes.runDoctor, { params: { id } })).data;
}

/** The report once the edge runs the shield and zone DNS knows its label, which takes a moment. */
function settled(shield: CreatedShield): Promise<DoctorReport> {
  return until(
    async () => {
      const report = await examine(shield);
      const codes = report.findings.map(({ code }) => code);
      if (codes.includes("edge.current") && codes.includes("dns.label_served")) return report;
      throw new Error(`${codes.join(" ")}\n${await logTails(home)}`);
    },
    // The route allows 12 a minute.
    { everyMs: 5_500, capMs: 90_000, what: "a settled report" },
  );
}

const failures = ({ findings }: DoctorReport): string[] =>
  findings.flatMap(({ outcome, code }) => (outcome === "ok" ? [] : [code]));

function fixOf(report: DoctorReport, code: string): string {
  return report.findings.find((finding) => finding.code === code)?.fix ?? "";
}

async function switchProxyProtocol({ id }: CreatedShield, on: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: (await databaseOf(home)).ownerUrl });
  await client.connect();
  await client.query("update backend_groups set proxy_protocol = $2 where shield_id = $1", [
    id,
    on,
  ]);
  await client.end();
}

describe("the wizard's look at an address", () => {
  test("shows what the real server says, through the real edge", async () => {
    // Its stream may still be opening, and the route allows 20 a minute.
    const seen = await until(
      async () => {
        const { data } = await owner(probeRoutes.probe, {
          body: { real_ip: host, real_port: game.port },
        });
        return data.outcome === "online" && data;
      },
      { everyMs: 3_500, capMs: 60_000, what: "an edge that looks" },
    );
    expect(seen.status?.motd.join("\n")).toContain("Skyline up and running");
    expect(seen.status).toMatchObject({ protocol: 765, players_online: 0, players_max: 20 });
    expect(seen.edge).not.toBeNull();
  });

  test("never looks at the edge itself", async () => {
    const { data } = await owner(probeRoutes.probe, {
      body: { real_ip: palisade.java.host, real_port: palisade.java.port },
    });
    expect(data).toMatchObject({ outcome: "forbidden", status: null });
  });
});

describe("the doctor", () => {
  test("finds nothing to do where all is well, and tells a server that stopped", async () => {
    const shield = await shieldFor(game.port);
    const well = await settled(shield);
    expect(failures(well)).toEqual([]);
    const online = well.findings.find(({ code }) => code === "backend.online");
    expect(online?.seen).toMatch(/1\.20\.4, 0\/20 players, \d+ ms$/);

    const { port } = game;
    await game.kill();
    const stopped = await examine(shield);
    expect(failures(stopped)).toEqual(["backend.refused"]);
    expect(fixOf(stopped, "backend.refused")).toContain(`listens on port ${port}`);

    game = await startGameServer("Skyline up and running", { atPort: port });
    expect((await examine(shield)).outcome).toBe("ok");
  });

  test("tells a wrong port, where something else answers", async () => {
    const shield = await shieldFor(Number(new URL(palisade.consoleUrl).port));
    const report = await settled(shield);
    expect(failures(report)).toEqual(["backend.not_minecraft", "backend.unproven"]);
    expect(fixOf(report, "backend.not_minecraft")).toContain("server-port in server.properties");
  });

  test("tells both ways of a PROXY mismatch, and that it is mended", async () => {
    const strict = await shieldFor(wanting.port);
    const required = await settled(strict);
    expect(failures(required)).toEqual(["proxy.required"]);
    expect(fixOf(required, "proxy.required")).toMatch(/^Turn PROXY protocol on for the group/);
    await switchProxyProtocol(strict, true);
    expect(failures(await examine(strict))).toEqual([]);

    const plain = await shieldFor(refusing.port);
    await switchProxyProtocol(plain, true);
    const unexpected = await settled(plain);
    expect(failures(unexpected)).toEqual(["proxy.unexpected"]);
    expect(fixOf(unexpected, "proxy.unexpected")).toContain("paper-global.yml");
  });
});
