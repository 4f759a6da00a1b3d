import type { Client } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { z } from "zod";
import { startPeerHost, type PeerHost } from "./peer-host.ts";
import { signUp } from "../product/account.ts";
import {
  logTails,
  removeHome,
  runCommand,
  startPalisade,
  type HostPort,
  type Palisade,
} from "../product/palisade.ts";
import { createPreparedHome } from "../product/prepared-home.ts";

/** The whole product with a customer who can pay, and a process of servers and players. */
export interface MinecraftFixture {
  readonly palisade: Palisade;
  readonly edge: HostPort;
  readonly owner: Client;
  readonly peers: PeerHost;
  buy(options: ShieldOptions): Promise<BoughtShield>;
  /** Waits until a change is on every edge that is to have it. @returns what the call answered */
  applied<T extends { readonly revision: number }>(
    shield: BoughtShield,
    change: Promise<{ readonly data: T }>,
  ): Promise<T>;
  end(): Promise<void>;
}

export interface ShieldOptions {
  readonly plan?: "Free" | "Pro" | "Network";
  readonly domain: string;
  /** Port of its first server, on this machine. */
  readonly port: number;
}

export interface BoughtShield {
  readonly id: string;
  readonly label: string;
  readonly domain: string;
  /** For calls: `{ params: shield.params }`. */
  readonly params: { readonly id: string };
}

const email = "owner@example.com";

export async function startMinecraftFixture(
  settings: Record<string, string> = {},
  euros = "0",
): Promise<MinecraftFixture> {
  const home = await createPreparedHome();
  const [palisade, peers] = await Promise.all([startPalisade(home, settings), startPeerHost()]);
  const owner = await signUp(palisade.consoleUrl, email);
  if (euros !== "0") {
    await runCommand(home, ["ledger", "credit", email, euros, "--reason", "Test"]);
  }
  await until(
    async () =>
      (await owner(routes.plans.listLocations, { query: {} })).data.locations.some(
        ({ name, is_available: isAvailable }) => name === "local" && isAvailable,
      ),
    { what: "the location of this machine" },
  );
  const { plans } = (await owner(routes.plans.listPricingPlans, {})).data;

  const whenApplied = async (shieldId: string, revision: number): Promise<void> => {
    const input = { params: { id: shieldId }, query: { revision } };
    await until(
      async () => {
        const { data } = await owner(routes.servers.getPropagation, input);
        return data.edges_total > 0 && data.edges_applied === data.edges_total;
      },
      { everyMs: 25, what: `revision ${revision} on the edges` },
    ).catch(async (cause: unknown) => {
      throw new Error(await logTails(home), { cause });
    });
  };

  return {
    palisade,
    edge: palisade.java,
    owner,
    peers,
    async buy({ plan = "Free", domain, port }) {
      const planId = plans.find(({ name }) => name === plan)?.id;
      if (planId === undefined) throw new Error(`There is no plan ${plan}`);
      const { cname_record: label } = (await owner(routes.servers.generateCname, {})).data;
      const { data } = await owner(routes.servers.createServer, {
        body: {
          pricing_plan_id: planId,
          server_name: domain.split(".")[0] ?? domain,
          real_ip: "127.0.0.1",
          real_port: port,
          location: "local",
          domain,
          cname_record: label,
        },
      });
      const { id } = data.server;
      await whenApplied(id, 1);
      return { id, label, domain, params: { id } };
    },
    async applied({ id }, change) {
      const { data } = await change;
      await whenApplied(id, data.revision);
      return data;
    },
    async end() {
      await peers.end();
      await palisade.stop();
      await removeHome(home);
    },
  };
}

/** Dozens of joins in a second are an attack, which is not what such tests are about. */
export async function withoutAntibot(
  { applied, owner }: Pick<MinecraftFixture, "applied" | "owner">,
  shield: BoughtShield,
): Promise<void> {
  const body = { antibot_level: "disabled" } as const;
  const { params } = shield;
  await applied(shield, owner(routes.mitigation.updateMitigation, { params, body }));
}

const invitation = z.object({ enrolment_token: z.string() });

/** @returns the token with which another edge enrols */
export async function createEdgeToken(
  home: string,
  location: string,
  name = location,
): Promise<string> {
  const command = ["edge", "invite", "--name", name, "--location", location, "--kind", "edge"];
  const lines = (await runCommand(home, command)).split("\n");
  const printed = lines.find((line) => line.startsWith("{")) ?? "";
  return invitation.parse(JSON.parse(printed)).enrolment_token;
}
