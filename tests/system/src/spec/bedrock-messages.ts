import { routes } from "@palisade/contract/http/routes";
import { done, type ShieldMessage } from "./shield-message.ts";

const { bedrock } = routes;

export const bedrockMessages = {
  updated: {
    when: "Bedrock was turned on or off",
    section: "bedrock-geyser",
    answer: done(bedrock.updateBedrock),
    en: "Bedrock/Geyser setting updated",
    ru: "Настройка Bedrock/Geyser изменена",
  },
  updateFailed: {
    when: "turning it on or off fails",
    section: "bedrock-geyser",
    wordless: bedrock.updateBedrock,
    en: "Error updating Bedrock/Geyser setting",
    ru: "Не удалось изменить настройку Bedrock/Geyser",
  },
  randomAdded: {
    when: "a random port was added",
    section: "bedrock-geyser",
    answer: done(bedrock.addRandomPort),
    en: "Random port added successfully",
    ru: "Случайный порт добавлен",
  },
  randomFailed: {
    when: "adding a random port fails",
    section: "bedrock-geyser",
    wordless: bedrock.addRandomPort,
    en: "Error adding random port",
    ru: "Не удалось добавить случайный порт",
  },
  defaultAdded: {
    when: "the default port was added",
    section: "bedrock-geyser",
    answer: done(bedrock.addDefaultPort),
    en: "Default port added successfully",
    ru: "Стандартный порт добавлен",
  },
  defaultFailed: {
    when: "adding the default port fails",
    section: "bedrock-geyser",
    wordless: bedrock.addDefaultPort,
    en: "Error adding default port",
    ru: "Не удалось добавить стандартный порт",
  },
  removed: {
    when: "a port was deleted",
    section: "bedrock-geyser",
    answer: done(bedrock.removePort),
    en: "Port deleted successfully",
    ru: "Порт удалён",
  },
  removeFailed: {
    when: "deleting a port fails",
    section: "bedrock-geyser",
    wordless: bedrock.removePort,
    en: "Error deleting port",
    ru: "Не удалось удалить порт",
  },
  loadFailed: {
    when: "the ports cannot be read",
    section: "bedrock-geyser",
    wordless: bedrock.getBedrock,
    en: "Error fetching server ports",
    ru: "Не удалось загрузить порты сервера",
  },
} as const satisfies Record<string, ShieldMessage>;
