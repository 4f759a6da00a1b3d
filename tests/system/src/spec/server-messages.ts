import type { ErrorCode } from "@palisade/contract/errors/codes";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import type { Texts } from "./rules.ts";

/**
 * The messages of the server specification, section 8, of the sections of a shield: when each is
 * said, and by whom. The API's own words (`answer`) come on the page as they are; where an answer
 * has none (`wordless`) the page says the text; the others the page says by itself.
 */
export interface ServerMessage extends Texts {
  readonly when: string;
  readonly section: Section;
  readonly answer?: ServerAnswer;
  readonly wordless?: RouteDefinition;
}

export interface ServerAnswer {
  readonly route: RouteDefinition;
  readonly status: number;
  readonly code?: ErrorCode;
}

/** As in the address; `page` is said around all of them. */
export type Section =
  | "page"
  | "backends"
  | "domains"
  | "mitigation"
  | "caching"
  | "customization"
  | "firewall"
  | "subusers";

const {
  serverLife,
  backends,
  shieldDomains,
  regions,
  mitigation,
  caching,
  serverMessages,
  firewall,
  subUsers,
} = routes;

const done = (route: RouteDefinition): ServerAnswer => ({ route, status: route.success });

const refused = (route: RouteDefinition, status: number, code: ErrorCode): ServerAnswer => ({
  route,
  status,
  code,
});

export const pageMessages = {
  notFound: {
    when: "the shield is nobody's, or not the caller's",
    section: "page",
    en: "Server not found. Redirecting to dashboard...",
    ru: "Сервер не найден. Переходим на панель...",
  },
  denied: {
    when: "loading the shield is answered 403",
    section: "page",
    en: "Access denied to this server. Redirecting to dashboard...",
    ru: "Нет доступа к этому серверу. Переходим на панель...",
  },
  deleted: {
    when: "the shield was deleted",
    section: "page",
    en: "Server has been deleted. Redirecting to dashboard...",
    ru: "Сервер удалён. Переходим на панель...",
  },
  loadFailed: {
    when: "loading the shield is answered with another refusal",
    section: "page",
    en: "Failed to load server. Redirecting to dashboard...",
    ru: "Не удалось загрузить сервер. Переходим на панель...",
  },
  locked: {
    when: "another section than the overview is clicked while the server is not active",
    section: "page",
    en: "Server must be active to access this section",
    ru: "Этот раздел открыт только для активного сервера",
  },
  lockedAddress: {
    when: "the address of such a section is opened",
    section: "page",
    en: "Access denied. Server must be active to access this section",
    ru: "Доступ закрыт. Этот раздел открыт только для активного сервера",
  },
  renamed: {
    when: "a server was renamed",
    section: "page",
    answer: done(serverLife.renameServer),
    en: "Server renamed successfully",
    ru: "Сервер переименован",
  },
  renameFailed: {
    when: "renaming fails",
    section: "page",
    wordless: serverLife.renameServer,
    en: "Failed to rename server",
    ru: "Не удалось переименовать сервер",
  },
  removed: {
    when: "a server was deleted",
    section: "page",
    answer: done(serverLife.deleteServer),
    en: "Resource deleted successfully",
    ru: "Ресурс удалён",
  },
  removeFailed: {
    when: "deleting a server fails",
    section: "page",
    wordless: serverLife.deleteServer,
    en: "Failed to delete resource",
    ru: "Не удалось удалить ресурс",
  },
} as const satisfies Record<string, ServerMessage>;

export const backendMessages = {
  groupUpdated: {
    when: "a group was changed",
    section: "backends",
    answer: done(backends.updateBackendGroup),
    en: "Backend group updated successfully",
    ru: "Группа бэкендов изменена",
  },
  groupDeleted: {
    when: "a group was deleted",
    section: "backends",
    answer: done(backends.deleteBackendGroup),
    en: "Backend group deleted successfully",
    ru: "Группа бэкендов удалена",
  },
  serverAdded: {
    when: "a server was added to a group",
    section: "backends",
    answer: done(backends.addBackendServer),
    en: "Backend IP added successfully",
    ru: "Бэкенд добавлен",
  },
  serverDeleted: {
    when: "a server was taken out of a group",
    section: "backends",
    answer: done(backends.removeBackendServer),
    en: "Backend deleted successfully",
    ru: "Бэкенд удалён",
  },
  groupDeleteFailed: {
    when: "deleting a group fails",
    section: "backends",
    wordless: backends.deleteBackendGroup,
    en: "Error deleting backend group",
    ru: "Не удалось удалить группу бэкендов",
  },
  serverDeleteFailed: {
    when: "deleting a server fails",
    section: "backends",
    wordless: backends.removeBackendServer,
    en: "Error deleting backend",
    ru: "Не удалось удалить бэкенд",
  },
  serverAddFailed: {
    when: "adding a server fails",
    section: "backends",
    wordless: backends.addBackendServer,
    en: "Failed to add backend IP",
    ru: "Не удалось добавить бэкенд",
  },
  loadFailed: {
    when: "the groups cannot be read",
    section: "backends",
    wordless: backends.getBackends,
    en: "Failed to fetch server backends",
    ru: "Не удалось загрузить бэкенды сервера",
  },
} as const satisfies Record<string, ServerMessage>;

export const domainMessages = {
  added: {
    when: "a domain was added",
    section: "domains",
    answer: done(shieldDomains.addDomain),
    en: "Domain added successfully",
    ru: "Домен добавлен",
  },
  removed: {
    when: "a domain was deleted",
    section: "domains",
    answer: done(shieldDomains.removeDomain),
    en: "Domain deleted successfully",
    ru: "Домен удалён",
  },
  addFailed: {
    when: "adding a domain fails",
    section: "domains",
    wordless: shieldDomains.addDomain,
    en: "Failed to add domain",
    ru: "Не удалось добавить домен",
  },
  removeFailed: {
    when: "deleting a domain fails",
    section: "domains",
    wordless: shieldDomains.removeDomain,
    en: "Failed to delete domain",
    ru: "Не удалось удалить домен",
  },
  loadFailed: {
    when: "the domains cannot be read",
    section: "domains",
    wordless: shieldDomains.listDomains,
    en: "Failed to fetch domains",
    ru: "Не удалось загрузить домены",
  },
  regionFailed: {
    when: "the region cannot be changed",
    section: "domains",
    wordless: regions.updateRegion,
    en: "Failed to update region",
    ru: "Не удалось сменить регион",
  },
} as const satisfies Record<string, ServerMessage>;

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
} as const satisfies Record<string, ServerMessage>;

export const cachingMessages = {
  updated: {
    when: "caching was turned on or off",
    section: "caching",
    answer: done(caching.updateCaching),
    en: "Caching settings updated successfully",
    ru: "Настройки кэширования сохранены",
  },
  updateFailed: {
    when: "turning it on or off fails",
    section: "caching",
    wordless: caching.updateCaching,
    en: "Failed to update caching settings",
    ru: "Не удалось сохранить настройки кэширования",
  },
} as const satisfies Record<string, ServerMessage>;

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
} as const satisfies Record<string, ServerMessage>;

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
} as const satisfies Record<string, ServerMessage>;

export const subUserMessages = {
  added: {
    when: "somebody was invited",
    section: "subusers",
    answer: done(subUsers.addSubUser),
    en: "Sub-user added successfully",
    ru: "Субпользователь добавлен",
  },
  removed: {
    when: "a sub-user was removed",
    section: "subusers",
    answer: done(subUsers.removeSubUser),
    en: "Sub user removed successfully",
    ru: "Субпользователь удалён",
  },
  addFailed: {
    when: "inviting fails",
    section: "subusers",
    wordless: subUsers.addSubUser,
    en: "Failed to add sub-user",
    ru: "Не удалось добавить субпользователя",
  },
  removeFailed: {
    when: "removing somebody fails",
    section: "subusers",
    wordless: subUsers.removeSubUser,
    en: "Error removing sub user",
    ru: "Не удалось удалить субпользователя",
  },
  loadFailed: {
    when: "the sub-users cannot be read",
    section: "subusers",
    wordless: subUsers.listSubUsers,
    en: "Error fetching sub users",
    ru: "Не удалось загрузить субпользователей",
  },
} as const satisfies Record<string, ServerMessage>;

/** Refusals that are the product's own: limits and locks of the specification and decisions. */
export const serverRefusals = {
  lastGroup: {
    when: "the only group is deleted",
    section: "backends",
    answer: refused(backends.deleteBackendGroup, 409, "last_group"),
    en: "The last group cannot be deleted: players need somewhere to go",
    ru: "Последнюю группу нельзя удалить: игрокам нужно куда-то попадать",
  },
  entryExists: {
    when: "an address is put on a list twice",
    section: "firewall",
    answer: refused(firewall.addFirewallEntry, 422, "entry_exists"),
    en: "This address is on the list already",
    ru: "Этот адрес уже есть в списке",
  },
  domainExists: {
    when: "a domain is added twice",
    section: "domains",
    answer: refused(shieldDomains.addDomain, 422, "domain_exists"),
    en: "This shield has this domain already",
    ru: "Этот домен уже есть у щита",
  },
} as const satisfies Record<string, ServerMessage>;

/** Texts of the pages that no call has to do with: empty lists, badges, buttons. */
export const sectionTexts = {
  noGroups: { en: "No backends available.", ru: "Нет доступных бэкендов." },
  emptyGroup: {
    en: "no backends in this group, please add one",
    ru: "в этой группе нет бэкендов, добавьте хотя бы один",
  },
  noDomains: { en: "No domains added yet.", ru: "Доменов пока нет." },
  finished: { en: "Setup finished", ru: "Настройка завершена" },
  unfinished: { en: "Setup not finished", ru: "Настройка не завершена" },
  setup: { en: "How to setup", ru: "Как настроить" },
  generalTab: { en: "General", ru: "Основные" },
  antibotTab: { en: "AntiBot", ru: "AntiBot" },
  // 'Misscellaneous' in the specification: a slip, in neither language.
  miscellaneousTab: { en: "Miscellaneous", ru: "Прочее" },
  saveMitigation: { en: "Save", ru: "Сохранить" },
  underAttack: { en: "'Under Attack' mode", ru: "Режим «Под атакой»" },
  changedMeanwhile: {
    en: "Somebody else changed this in the meantime.",
    ru: "Кто-то уже изменил эти данные.",
  },
  noEntries: { en: "No entries found", ru: "Записей нет" },
  noSubUsers: { en: "No sub users found", ru: "Субпользователей нет" },
} as const satisfies Record<string, Texts>;

export const allServerMessages: readonly ServerMessage[] = [
  pageMessages,
  backendMessages,
  domainMessages,
  mitigationMessages,
  cachingMessages,
  textMessages,
  firewallMessages,
  subUserMessages,
  serverRefusals,
].flatMap((messages) => Object.values(messages));
