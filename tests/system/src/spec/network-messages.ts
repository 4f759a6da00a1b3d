import { routes } from "@palisade/contract/http/routes";
import { done, type ShieldMessage } from "./shield-message.ts";

const { backends, shieldDomains, regions, caching, logs, notifications } = routes;

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
} as const satisfies Record<string, ShieldMessage>;

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
  regionsFailed: {
    when: "the regions cannot be read",
    section: "domains",
    wordless: regions.getRegion,
    en: "Error fetching regions: The server could not be reached",
    ru: "Не удалось загрузить регионы: Сервер недоступен",
  },
  regionFailed: {
    when: "the region cannot be changed",
    section: "domains",
    wordless: regions.updateRegion,
    en: "Failed to update region",
    ru: "Не удалось сменить регион",
  },
} as const satisfies Record<string, ShieldMessage>;

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
} as const satisfies Record<string, ShieldMessage>;

export const logMessages = {
  updated: {
    when: "the interval was chosen",
    section: "logs",
    answer: done(logs.updateLogSettings),
    en: "Interval updated",
    ru: "Интервал обновлён",
  },
  updateFailed: {
    when: "choosing it fails",
    section: "logs",
    wordless: logs.updateLogSettings,
    en: "Failed to update interval",
    ru: "Не удалось обновить интервал",
  },
} as const satisfies Record<string, ShieldMessage>;

export const notificationMessages = {
  loadFailed: {
    when: "the settings cannot be read",
    section: "notifications",
    wordless: notifications.getNotifications,
    en: "Failed to fetch notifications",
    ru: "Не удалось загрузить уведомления",
  },
  updated: {
    when: "the settings were saved",
    section: "notifications",
    answer: done(notifications.updateNotifications),
    en: "Notifications updated",
    ru: "Уведомления сохранены",
  },
} as const satisfies Record<string, ShieldMessage>;
