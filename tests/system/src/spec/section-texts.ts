import type { Texts } from "./rules.ts";

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
  miscellaneousTab: { en: "Miscellaneous", ru: "Прочее" },
  saveMitigation: { en: "Save", ru: "Сохранить" },
  underAttack: { en: "'Under Attack' mode", ru: "Режим «Под атакой»" },
  changedMeanwhile: {
    en: "Another user changed this in the meantime.",
    ru: "Другой пользователь тем временем изменил эти данные.",
  },
  noEntries: { en: "No entries found", ru: "Записей нет" },
  noSubUsers: { en: "No sub users found", ru: "Субпользователей нет" },
} as const satisfies Record<string, Texts>;
