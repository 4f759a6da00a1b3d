import { Resolver } from "node:dns/promises";
import type { Client } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { startFakeZone, type FakeZone } from "@palisade/testing/fake-zone";
import { freePort } from "@palisade/testing/free-port";
import { startUnbound, unboundMissing, type Unbound } from "@palisade/testing/unbound";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { tryLogin } from "../minecraft/java-client.ts";
import { startGameServer, type GameServer } from "../minecraft/peers.ts";
import { createShield, signUp } from "../product/account.ts";
import { removeHome, startPalisade, type Palisade } from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";

/**
 * The product as it stands in the world: its zone and a customer's zone behind real resolvers, of
 * which one checks domains and the other is asked by players.
 */

let home: string;
let customer: FakeZone;
/** The players' resolver: knows every zone. */
let unbound: Unbound;
/** The api's resolver: knows customers' zones only, so that only the zone DNS answers for labels. */
let checker: Unbound;
let palisade: Palisade;
let game: GameServer;
let owner: Client;
let rival: Client;
let players: Resolver;

describe("a domain at a real resolver", () => {
  beforeAll(async () => {
    if (unboundMissing !== undefined) return;
    customer = await startFakeZone({ origin: "example.test" });
    const port = await freePort();
    const zones = { "gs.localhost": `127.0.0.1:${port}`, "example.test": customer.address };
    unbound = await startUnbound({ zones, cacheSecondsMax: 0 });
    checker = await startUnbound({
      zones: { "example.test": customer.address },
      cacheSecondsMax: 0,
    });
    home = await createPreparedHome();
    palisade = await startPalisade(home, {
      PALISADE_DNS_PORT: String(port),
      PALISADE_DNS_RESOLVERS: checker.address,
    });
    game = await startGameServer("Skyline", { version: "1.8.8" });
    owner = await signUp(palisade.consoleUrl, "owner@example.com");
    rival = await signUp(palisade.consoleUrl, "rival@example.com");
    players = new Resolver({ timeout: 5_000, tries: 2 });
    players.setServers([unbound.address]);
  });
  afterAll(async () => {
    await game?.kill();
    await palisade?.stop();
    await unbound?.stop();
    await checker?.stop();
    await customer?.close();
    if (home !== undefined) await removeHome(home);
  });
  beforeEach(({ skip }) => skip(unboundMissing !== undefined, unboundMissing));

  const check = async (call: Client, domain: string, cname_record: string) =>
    (await call(routes.domains.checkCname, { body: { domain, cname_record } })).data;
  const shieldOf = (domain: string) =>
    createShield(owner, { host: "127.0.0.1", port: game.port }, domain);
  const publish = (domain: string, label: string) => {
    customer.records = [...customer.records, { type: "CNAME", name: domain, value: label }];
  };

  test("is checked, kept from others, led to the edge and served there", async () => {
    const domain = "play.example.test";
    const { id, label } = await shieldOf(domain);
    const params = { id };
    expect((await check(owner, domain, label)).diagnosis.code).toBe("missing");
    publish(domain, label);
    const proven = await check(owner, domain, label);
    expect(proven).toMatchObject({ verified: true, found: [{ type: "CNAME", value: label }] });

    const refused = rival(routes.domains.checkDomain, { body: { domain } });
    await expect(refused).rejects.toMatchObject({
      status: 422,
      problem: { code: "domain_in_use" },
    });

    // The edge of this machine says it is reached at loopback.
    await until(async () => (await players.resolve4(domain))[0] === "127.0.0.1");
    const { data } = await owner(routes.servers.getPropagation, { params, query: {} });
    expect(data.revision).toBe(2);
    await until(async () => {
      const seen = await owner(routes.servers.getPropagation, { params, query: {} });
      return seen.data.edges_applied === seen.data.edges_total && seen.data.edges_total > 0;
    });
    for (const host of [domain, label]) {
      const outcome = await tryLogin({ edge: palisade.java, host, from: "127.0.0.50" }, "Visitor");
      expect(outcome).toEqual({ kind: "admitted" });
    }
  });

  test("the api asks zone DNS itself for labels, once it is there", async () => {
    const { id, label } = await shieldOf("other.example.test");
    const findings = async () => {
      const { data } = await owner(routes.doctor.runDoctor, { params: { id } });
      return data.findings.filter(({ name }) => name === label).map(({ code }) => code);
    };
    // Zone DNS hears of the label within a moment; a shield's doctor sees 12 times a minute.
    await until(async () => (await findings()).includes("dns.label_served"), { everyMs: 6_000 });
  });

  test("is unknown while the resolver fails, and stays with its owner", async () => {
    const domain = "kept.example.test";
    const { label } = await shieldOf(domain);
    publish(domain, label);
    expect(await check(owner, domain, label)).toMatchObject({ verified: true });
    const { cname_record } = (await rival(routes.servers.generateCname, {})).data;
    for (const trouble of ["servfail", "refused"] as const) {
      customer.faults = { "*": trouble };
      expect((await check(rival, domain, cname_record)).diagnosis.code).toBe("unknown");
      const refused = rival(routes.domains.checkDomain, { body: { domain } });
      await expect(refused).rejects.toMatchObject({ problem: { code: "domain_in_use" } });
    }
    customer.faults = {};
    // The resolver remembers failures for a few seconds; a user may check 120 times in 10 minutes.
    const code = async () => (await check(rival, domain, cname_record)).diagnosis.code;
    await until(async () => (await code()) === "points_elsewhere", { everyMs: 500 });
  });
});
