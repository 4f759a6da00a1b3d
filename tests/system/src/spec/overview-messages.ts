import { routes } from "@palisade/contract/http/routes";
import { done, type ShieldMessage } from "./shield-message.ts";

const { serverLife, subUsers } = routes;

export const pageMessages = {
  notFound: {
    when: "the shield does not exist, or is not the caller's",
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
} as const satisfies Record<string, ShieldMessage>;

export const subUserMessages = {
  added: {
    when: "a sub-user was invited",
    section: "subusers",
    answer: done(subUsers.addSubUser),
    en: "Invitation sent",
    ru: "Приглашение отправлено",
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
    when: "removing a sub-user fails",
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
} as const satisfies Record<string, ShieldMessage>;
