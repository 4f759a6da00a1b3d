import { routes } from "@palisade/contract/http/routes";
import { done, type ShieldMessage } from "./shield-message.ts";

const { mitigation, firewall, serverMessages } = routes;

export const mitigationMessages = {
  updated: {
    when: "mitigation settings were saved",
    section: "mitigation",
    answer: done(mitigation.updateMitigation),
    en: "Mitigation settings updated",
    ru: "Настройки защиты сохранены",
  },
  updateFailed: {
    when: "saving them fails",
    section: "mitigation",
    wordless: mitigation.updateMitigation,
    en: "Failed to update mitigation settings",
    ru: "Не удалось сохранить настройки защиты",
  },
  loadFailed: {
    when: "they cannot be read",
    section: "mitigation",
    wordless: mitigation.getMitigation,
    en: "Error fetching",
    ru: "Ошибка загрузки",
  },
} as const satisfies Record<string, ShieldMessage>;

export const firewallMessages = {
  updated: {
    when: "a list was turned on or off",
    section: "firewall",
    answer: done(firewall.updateFirewall),
    en: "Firewall settings updated successfully",
    ru: "Настройки файрвола сохранены",
  },
  entryRemoved: {
    when: "198.51.100.7 was taken off a list",
    section: "firewall",
    answer: done(firewall.removeFirewallEntry),
    en: "IP 198.51.100.7 removed successfully",
    ru: "IP 198.51.100.7 удалён",
  },
  cleared: {
    when: "the blacklist was emptied",
    section: "firewall",
    answer: done(firewall.clearFirewallList),
    en: "All IPs from blacklist cleared successfully",
    ru: "Все IP из списка blacklist удалены",
  },
  updateFailed: {
    when: "turning a list on or off fails",
    section: "firewall",
    wordless: firewall.updateFirewall,
    en: "Error updating firewall settings",
    ru: "Не удалось сохранить настройки файрвола",
  },
  removeFailed: {
    when: "taking an address off fails",
    section: "firewall",
    wordless: firewall.removeFirewallEntry,
    en: "Error removing IP from firewall",
    ru: "Не удалось удалить IP из файрвола",
  },
  loadFailed: {
    when: "the lists cannot be read",
    section: "firewall",
    wordless: firewall.getFirewall,
    en: "Error fetching firewall data",
    ru: "Не удалось загрузить настройки файрвола",
  },
  clearFailed: {
    when: "emptying the blacklist fails",
    section: "firewall",
    wordless: firewall.clearFirewallList,
    en: "Error clearing blacklist IPs",
    ru: "Не удалось очистить список blacklist",
  },
} as const satisfies Record<string, ShieldMessage>;

export const textMessages = {
  updated: {
    when: "messages were saved",
    section: "customization",
    answer: done(serverMessages.updateServerMessages),
    en: "Updated successfully",
    ru: "Сохранено",
  },
  updateFailed: {
    when: "saving messages fails",
    section: "customization",
    wordless: serverMessages.updateServerMessages,
    en: "Error updating messages. Please try again later.",
    ru: "Не удалось сохранить сообщения. Повторите позже.",
  },
  loadFailed: {
    when: "messages cannot be read",
    section: "customization",
    wordless: serverMessages.getServerMessages,
    en: "Error fetching server messages. Please try again later.",
    ru: "Не удалось загрузить сообщения. Повторите позже.",
  },
} as const satisfies Record<string, ShieldMessage>;
