import type { Texts } from "@palisade/system-tests/spec/rules";
import type { Section } from "@palisade/system-tests/spec/shield-message";

interface SectionText extends Texts {
  readonly section: Section;
}

/** Texts of the pages that no call has to do with: empty lists, badges, buttons. */
export const sectionTexts = {
  noAnalytics: { section: "analytics", en: "No data found", ru: "Данные не найдены" },
  noLogs: { section: "logs", en: "No logs found", ru: "Журнал пуст" },
  noGroups: { section: "backends", en: "No backends available.", ru: "Нет доступных бэкендов." },
  emptyGroup: {
    section: "backends",
    en: "no backends in this group, please add one",
    ru: "в этой группе нет бэкендов, добавьте хотя бы один",
  },
  noDomains: { section: "domains", en: "No domains added yet.", ru: "Доменов пока нет." },
  finished: { section: "domains", en: "Setup finished", ru: "Настройка завершена" },
  unfinished: { section: "domains", en: "Setup not finished", ru: "Настройка не завершена" },
  setup: { section: "domains", en: "How to setup", ru: "Как настроить" },
  generalTab: { section: "mitigation", en: "General", ru: "Основные" },
  antibotTab: { section: "mitigation", en: "AntiBot", ru: "AntiBot" },
  miscellaneousTab: { section: "mitigation", en: "Miscellaneous", ru: "Прочее" },
  saveMitigation: { section: "mitigation", en: "Save", ru: "Сохранить" },
  underAttack: { section: "mitigation", en: "'Under Attack' mode", ru: "Режим «Под атакой»" },
  changedMeanwhile: {
    section: "mitigation",
    en: "Another user changed this in the meantime.",
    ru: "Другой пользователь тем временем изменил эти данные.",
  },
  noWebhooks: { section: "notifications", en: "No webhooks found", ru: "Вебхуков нет" },
  noEntries: { section: "firewall", en: "No entries found", ru: "Записей нет" },
  noSubUsers: { section: "subusers", en: "No sub users found", ru: "Субпользователей нет" },
} as const satisfies Record<string, SectionText>;
