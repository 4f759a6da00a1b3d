import type { levelCauses } from "@palisade/contract/edge/attack-limits";
import type { AntibotLevel, RefusalReason } from "@palisade/contract/edge/plain-values";
import type { Locale } from "@palisade/contract/texts/locale";

/** The words of the report of an attack as PDF. */
const en = {
  title: "Attack report",
  server: "Server",
  began: "Began",
  ended: "Ended",
  ongoing: "It is still going on.",
  duration: "Duration",
  peak: "Peak",
  perSecond: "{count}/s",
  datagrams: "Peak of Bedrock datagrams",
  datagramsCourse: "Bedrock datagrams per second",
  threshold: "Threshold of each edge",
  networks: "Source networks, about",
  edges: "Edges",
  logins: "Logins",
  ofBedrock: "Of Bedrock",
  admitted: "Reached the server",
  course: "Connections per second",
  noCourse: "The course of this attack is not kept.",
  thresholdLine: "dashed: threshold",
  reasons: "Refused, by reason",
  levels: "AntiBot level",
  addresses: "Most frequent addresses",
  networkList: "Most frequent networks",
  names: "Patterns of names (# is a digit)",
  atLeast: "at least",
  none: "None",
  players: "Players online",
  "players.before": "15 minutes before",
  "players.during": "During the attack",
  "players.after": "15 minutes after",
  unknown: "not known",
  masked: "Addresses are shortened, because the reader has no right to see them.",
  utc: "All times are in UTC.",
  page: "Page {page} of {pages}",
} as const;

const ru: Record<keyof typeof en, string> = {
  title: "Отчёт об атаке",
  server: "Сервер",
  began: "Начало",
  ended: "Конец",
  ongoing: "Атака ещё продолжается.",
  duration: "Длительность",
  peak: "Пик",
  perSecond: "{count}/с",
  datagrams: "Пик датаграмм Bedrock",
  datagramsCourse: "Датаграммы Bedrock в секунду",
  threshold: "Порог на каждом узле",
  networks: "Сетей-источников, примерно",
  edges: "Узлов",
  logins: "Входов",
  ofBedrock: "Из них Bedrock",
  admitted: "Дошли до сервера",
  course: "Подключения в секунду",
  noCourse: "Ход этой атаки не сохранён.",
  thresholdLine: "пунктир: порог",
  reasons: "Отклонено по причинам",
  levels: "Уровень AntiBot",
  addresses: "Самые частые адреса",
  networkList: "Самые частые сети",
  names: "Шаблоны имён (# — цифра)",
  atLeast: "не менее",
  none: "Нет",
  players: "Игроки онлайн",
  "players.before": "За 15 минут до",
  "players.during": "Во время атаки",
  "players.after": "15 минут после",
  unknown: "неизвестно",
  masked: "Адреса сокращены: у читателя нет права их видеть.",
  utc: "Всё время — UTC.",
  page: "Страница {page} из {pages}",
};

const reasons: Record<Locale, Record<RefusalReason, string>> = {
  en: {
    blacklist: "Blacklist",
    whitelist_only: "Whitelist only",
    invalid_name: "Invalid name",
    invalid_version: "Version range",
    offline: "Server offline",
    expired: "Shield expired",
    blocked: "Shield blocked",
    forge: "Anti-Forge",
    bot_name: "Bot names",
    bot_check: "Bot check",
    cooldown: "Rejoin cooldown",
    max_connections: "Max connections",
    secure_profiles: "Secure profiles",
    vpn: "Anti-VPN",
    packet_size: "Max packet size",
    traffic_used_up: "Traffic used up",
    rate: "Too many from one address",
    full: "Player limit of the plan",
    network: "Country or network",
  },
  ru: {
    blacklist: "Чёрный список",
    whitelist_only: "Только белый список",
    invalid_name: "Недопустимое имя",
    invalid_version: "Диапазон версий",
    offline: "Сервер офлайн",
    expired: "Щит истёк",
    blocked: "Щит заблокирован",
    forge: "Anti-Forge",
    bot_name: "Имена ботов",
    bot_check: "Проверка на бота",
    cooldown: "Задержка повторного входа",
    max_connections: "Макс. подключений",
    secure_profiles: "Защищённые профили",
    vpn: "Anti-VPN",
    packet_size: "Макс. размер пакета",
    traffic_used_up: "Трафик израсходован",
    rate: "Слишком много с одного адреса",
    full: "Лимит игроков тарифа",
    network: "Страна или сеть",
  },
};

const levels: Record<Locale, Record<AntibotLevel, string>> = {
  en: { disabled: "Disabled", low: "Low", medium: "Medium", high: "High", extreme: "Extreme" },
  ru: {
    disabled: "Выключен",
    low: "Низкий",
    medium: "Средний",
    high: "Высокий",
    extreme: "Экстремальный",
  },
};

const causes: Record<Locale, Record<(typeof levelCauses)[number], string>> = {
  en: {
    start: "at the start",
    owner: "changed in the settings",
    relaxed: "relaxed, because known players had failed the check",
    end: "set back at the end",
  },
  ru: {
    start: "в начале",
    owner: "изменён в настройках",
    relaxed: "смягчён: проверку не прошли известные игроки",
    end: "возвращён в конце",
  },
};

export function attackText(
  locale: Locale,
  key: keyof typeof en,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text: string = (locale === "ru" ? ru : en)[key];
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

export function reasonName(locale: Locale, reason: RefusalReason): string {
  return reasons[locale][reason];
}

export function levelName(locale: Locale, level: AntibotLevel): string {
  return levels[locale][level];
}

export function causeName(locale: Locale, cause: (typeof levelCauses)[number]): string {
  return causes[locale][cause];
}
