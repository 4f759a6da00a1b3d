import type { CallInput } from "@palisade/contract/http/client";
import { firewallRoutes } from "@palisade/contract/http/firewall";
import { type LogEntry, logRoutes } from "@palisade/contract/http/logs";
import { mitigationRoutes } from "@palisade/contract/http/mitigation";
import { serverMessageRoutes } from "@palisade/contract/http/server-messages";
import type { BoughtShield, MinecraftFixture, ShieldOptions } from "../minecraft/fixture.ts";

export type MitigationChange = CallInput<typeof mitigationRoutes.updateMitigation>["body"];
type MessageChange = CallInput<typeof serverMessageRoutes.updateServerMessages>["body"];
export type LogQuery = CallInput<typeof logRoutes.listLogEntries>["query"];

/** A shield as its owner's program guards it. Every change resolves once the edge has it. */
export interface GuardedShield extends BoughtShield {
  set(change: MitigationChange): Promise<void>;
  say(texts: MessageChange): Promise<void>;
  trust(address: string): Promise<void>;
  entries(query: LogQuery): Promise<LogEntry[]>;
}

export async function buyGuarded(
  fixture: MinecraftFixture,
  options: ShieldOptions,
): Promise<GuardedShield> {
  const shield = await fixture.buy(options);
  const { owner } = fixture;
  const { params } = shield;
  return {
    ...shield,
    async set(body) {
      await fixture.applied(shield, owner(mitigationRoutes.updateMitigation, { params, body }));
    },
    async say(body) {
      await fixture.applied(
        shield,
        owner(serverMessageRoutes.updateServerMessages, { params, body }),
      );
    },
    async trust(address) {
      const list = { type: "whitelist" as const, mode: "merge" as const, entries: [address] };
      await owner(firewallRoutes.importFirewall, { params, body: list });
      const body = { ip_whitelist_enabled: true };
      await fixture.applied(shield, owner(firewallRoutes.updateFirewall, { params, body }));
    },
    async entries(query) {
      const found: LogEntry[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const from = { ...query, ...(cursor !== undefined && { cursor }) };
        const { data: page } = await owner(logRoutes.listLogEntries, { params, query: from });
        found.push(...page.data);
        cursor = page.next_cursor;
      }
      return found;
    },
  };
}
