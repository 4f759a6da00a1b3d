import { CallError, type Client } from "@palisade/contract/http/client";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { noServerMessages } from "@palisade/contract/http/server-messages";
import type { Locale } from "@palisade/contract/texts/render";
import { expect } from "vitest";
import { z } from "zod";
import type { CreatedShield } from "../product/account.ts";
import { kickGroups, ownTexts } from "./kick-messages.ts";
import { firewallMessages, mitigationMessages, textMessages } from "./admission-messages.ts";
import { bedrockMessages } from "./bedrock-messages.ts";
import {
  backendMessages,
  cachingMessages,
  logMessages,
  domainMessages,
  notificationMessages,
} from "./network-messages.ts";
import type { ShieldMessage } from "./shield-message.ts";
import { allShieldMessages, shieldRefusals } from "./all-shield-messages.ts";
import { pageMessages, subUserMessages } from "./overview-messages.ts";

const { backends, bedrock, shieldDomains, serverMessages: messages, firewall, subUsers } = routes;

const spoken = z.object({ message: z.string() });

interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Calls that meet every answer of the table, and compares their words; the shield is deleted in the end. */
export async function expectShieldAnswers(
  call: Client,
  locale: Locale,
  shield: CreatedShield,
): Promise<void> {
  const seen = new Set<ShieldMessage>();
  const id = shield.id;

  async function says(message: ShieldMessage, { params, body }: Call = {}): Promise<void> {
    const { answer } = message;
    if (answer === undefined) throw new Error(`No route answers "${message.en}"`);
    const said = await saidBy(call, answer.route, { params: { id, ...params }, body });
    expect({ when: message.when, ...said }).toEqual({
      when: message.when,
      said: message[locale],
      status: answer.status,
      code: answer.code,
    });
    seen.add(message);
  }

  await says(pageMessages.renamed, { body: { server_name: "Renamed" } });
  await checkBackends();
  await checkDomains();
  await says(mitigationMessages.updated, { body: { anti_forge: true } });
  await says(cachingMessages.updated, { body: { caching_enabled: false } });
  await checkBedrock();
  await says(logMessages.updated, { body: { logs_refresh_interval: 30 } });
  await says(notificationMessages.updated, { body: { email_notifications: false } });
  await checkMessages();
  await checkFirewall();
  await checkSubUsers();
  await says(pageMessages.removed, { body: { server_name: "Renamed" } });
  const answered = allShieldMessages.filter(({ answer }) => answer !== undefined);
  expect(answered.filter((message) => !seen.has(message)).map(({ en }) => en)).toEqual([]);

  async function checkBackends(): Promise<void> {
    const only = (await call(backends.getBackends, { params: { id } })).data.backends[0]?.id ?? "";
    await says(shieldRefusals.lastGroup, { params: { backendId: only } });
    const { data } = await call(backends.createBackendGroup, {
      params: { id },
      body: { name: "Second" },
    });
    const params = { backendId: data.backend.id };
    await says(backendMessages.groupUpdated, { params, body: { name: "Other name" } });
    const body = { ip: "127.0.0.1", port: 25_570 };
    await says(backendMessages.serverAdded, { params, body });
    const after = (await call(backends.getBackends, { params: { id } })).data.backends;
    const ipId = after.find((group) => group.id === params.backendId)?.ips[0]?.id ?? "";
    await says(backendMessages.serverDeleted, { params: { ...params, ipId } });
    await says(backendMessages.groupDeleted, { params });
  }

  async function checkBedrock(): Promise<void> {
    await says(bedrockMessages.updated, { body: { bedrock_enabled: true } });
    await says(bedrockMessages.randomAdded);
    await says(bedrockMessages.defaultAdded);
    const { ports } = (await call(bedrock.getBedrock, { params: { id } })).data;
    await says(bedrockMessages.removed, { params: { portId: ports[0]?.id ?? "" } });
  }

  async function checkDomains(): Promise<void> {
    const body = { domain: `second-${locale}.example.com` };
    await says(domainMessages.added, { body });
    await says(shieldRefusals.domainExists, { body });
    const { domains } = (await call(shieldDomains.listDomains, { params: { id } })).data;
    const domainId = domains.find(({ domain }) => domain === body.domain)?.id ?? "";
    await says(domainMessages.removed, { params: { domainId } });
  }

  async function checkMessages(): Promise<void> {
    await says(textMessages.updated, { body: { offline: { version_info: "Soon" } } });
    const own = Object.fromEntries(kickGroups.map((group) => [group, ownTexts(group)]));
    // An emptied text becomes the product's own again.
    const none = Object.fromEntries(kickGroups.map((group) => [group, noServerMessages[group]]));
    for (const body of [own, none]) {
      const { data } = await call(messages.updateServerMessages, { params: { id }, body });
      expect(data.messages).toMatchObject(body);
    }
  }

  async function checkFirewall(): Promise<void> {
    await says(firewallMessages.updated, { body: { ip_blacklist_enabled: false } });
    const body = { type: "blacklist" as const, ip: "198.51.100.7" };
    const { data } = await call(firewall.addFirewallEntry, { params: { id }, body });
    await says(shieldRefusals.entryExists, { body });
    await says(firewallMessages.entryRemoved, { params: { ipId: data.entry.id } });
    await says(firewallMessages.cleared, { params: { type: "blacklist" } });
  }

  async function checkSubUsers(): Promise<void> {
    await says(subUserMessages.added, { body: { email: `friend-${locale}@example.com` } });
    const { data } = await call(subUsers.listSubUsers, { params: { id } });
    const subUserId = data.sub_users[0]?.id ?? "";
    await says(subUserMessages.removed, { params: { subUserId } });
  }
}

async function saidBy(call: Client, route: RouteDefinition, { params, body }: Call) {
  try {
    const { data } = await call(route, { params, body });
    return { said: spoken.parse(data).message, status: route.success, code: undefined };
  } catch (error) {
    if (!(error instanceof CallError) || error.problem === null) throw error;
    const { message, status, code } = error.problem;
    return { said: message, status, code };
  }
}
