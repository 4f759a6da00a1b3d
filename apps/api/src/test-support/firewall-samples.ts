import { routes } from "@palisade/contract/http/routes";
import type { RouteSample } from "./route-sample.ts";
import { ofShield } from "./sample-values.ts";
import { call } from "./test-users.ts";
import type { TestWorld } from "./test-world.ts";

let blocked = 0;
let networks = 64_496;
const freshAsn = (): number => networks++;
const freshAddress = (): string => `203.0.${Math.floor(blocked / 250)}.${(blocked++ % 250) + 1}`;

async function ofFirewallEntry({ testApp, owner, shieldId }: TestWorld) {
  const answer = await call(testApp, routes.firewall.addFirewallEntry, {
    token: owner.token,
    params: { id: shieldId },
    body: { type: "blacklist", ip: freshAddress() },
  });
  const { entry } = routes.firewall.addFirewallEntry.response.parse(answer.json());
  return { params: { id: shieldId, ipId: entry.id } };
}

export const firewallSamples = {
  "firewall.get": ofShield,
  "firewall.update": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { ip_blacklist_enabled: true },
  }),
  "firewall.addEntry": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { type: "blacklist", ip: freshAddress() },
  }),
  "firewall.removeEntry": ofFirewallEntry,
  async "firewall.updateEntry"(world) {
    return { ...(await ofFirewallEntry(world)), body: { note: "Griefing", expires_at: null } };
  },

  "firewall.import": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { type: "blacklist", mode: "merge", text: freshAddress() },
  }),
  "firewall.export": ({ shieldId }) => ({
    params: { id: shieldId },
    query: { type: "blacklist" },
  }),
  "firewall.clear": ({ shieldId }) => ({ params: { id: shieldId, type: "whitelist" } }),

  "firewall.networks": ofShield,
  "firewall.addNetwork": ({ shieldId }) => ({
    params: { id: shieldId },
    body: { asn: freshAsn(), action: "block", note: "Bots of the weekend" },
  }),
  async "firewall.removeNetwork"({ testApp, owner, shieldId }) {
    const answer = await call(testApp, routes.networkRules.addNetworkRule, {
      token: owner.token,
      params: { id: shieldId },
      body: { asn: freshAsn(), action: "block" },
    });
    const { rule } = routes.networkRules.addNetworkRule.response.parse(answer.json());
    return { params: { id: shieldId, ruleId: rule.id } };
  },
} satisfies Readonly<Record<`firewall.${string}`, RouteSample>>;
