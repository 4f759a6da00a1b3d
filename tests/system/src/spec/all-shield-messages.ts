import { routes } from "@palisade/contract/http/routes";
import { firewallMessages, mitigationMessages, textMessages } from "./admission-messages.ts";
import { bedrockMessages } from "./bedrock-messages.ts";
import {
  backendMessages,
  cachingMessages,
  logMessages,
  domainMessages,
  notificationMessages,
} from "./network-messages.ts";
import { refused, type ShieldMessage } from "./shield-message.ts";
import { pageMessages, subUserMessages } from "./overview-messages.ts";

const { backends, firewall, shieldDomains } = routes;

/** Refusals of the product's own limits and locks. */
export const shieldRefusals = {
  lastGroup: {
    when: "the only group is deleted",
    section: "backends",
    answer: refused(backends.deleteBackendGroup, 409, "last_group"),
    en: "The last group cannot be deleted, because players need a server to join",
    ru: "Последнюю группу нельзя удалить: игрокам нужен сервер",
  },
  entryExists: {
    when: "an address is put on a list twice",
    section: "firewall",
    answer: refused(firewall.addFirewallEntry, 422, "entry_exists"),
    en: "This entry is on the list already",
    ru: "Эта запись уже есть в списке",
  },
  domainExists: {
    when: "a domain is added twice",
    section: "domains",
    answer: refused(shieldDomains.addDomain, 422, "domain_exists"),
    en: "This shield has this domain already",
    ru: "Этот домен уже есть у щита",
  },
} as const satisfies Record<string, ShieldMessage>;

export const allShieldMessages: readonly ShieldMessage[] = [
  pageMessages,
  backendMessages,
  domainMessages,
  mitigationMessages,
  cachingMessages,
  bedrockMessages,
  logMessages,
  notificationMessages,
  textMessages,
  firewallMessages,
  subUserMessages,
  shieldRefusals,
].flatMap((messages) => Object.values(messages));
