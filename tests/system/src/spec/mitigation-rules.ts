import type { AntibotLevel } from "@palisade/contract/edge/plain-values";
import type { ErrorCode } from "@palisade/contract/errors/codes";
import type { MitigationLimit, MitigationSettings } from "@palisade/contract/http/mitigation";
import type { FieldRule, Texts } from "./rules.ts";

/** The bounds, steps and refusals of the settings in the Mitigation section. */

export type MitigationTab = "general" | "antibot" | "miscellaneous";

/** A slider in whole steps of 1; disabled unless its switch is on. */
export interface LimitRow {
  readonly tab: MitigationTab;
  readonly min: number;
  readonly max: number;
  /** The value of a new shield, also shown where the settings cannot be read. */
  readonly fallback: number;
  readonly label: Texts;
  readonly said: Texts;
}

export const limitRows: Readonly<Record<MitigationLimit, LimitRow>> = {
  max_connections: {
    tab: "general",
    min: 0,
    max: 1_000,
    fallback: 100,
    label: { en: "Max connections", ru: "Лимит подключений" },
    said: {
      en: "Max connections must be a whole number from 0 to 1000",
      ru: "Лимит подключений: целое число от 0 до 1000",
    },
  },
  rejoin_cooldown: {
    tab: "general",
    min: 0,
    max: 30,
    fallback: 5,
    label: { en: "Rejoin cooldown", ru: "Пауза перед повторным входом" },
    said: {
      en: "Rejoin cooldown must be a whole number from 0 to 30 seconds",
      ru: "Пауза перед повторным входом: целое число от 0 до 30 секунд",
    },
  },
  max_packet_size: {
    tab: "general",
    min: 5_000,
    max: 131_072,
    fallback: 8_000,
    label: { en: "Max packet size", ru: "Макс. размер пакета" },
    said: {
      en: "Max packet size must be a whole number from 5000 to 131072 bytes",
      ru: "Размер пакета: целое число от 5000 до 131072 байт",
    },
  },
  mitigation_threshold: {
    tab: "antibot",
    min: 0,
    max: 100,
    fallback: 50,
    label: { en: "Mitigation threshold", ru: "Порог защиты" },
    said: {
      en: "Mitigation threshold must be a whole number from 0 to 100",
      ru: "Порог защиты: целое число от 0 до 100",
    },
  },
  mitigation_duration: {
    tab: "antibot",
    min: 0,
    max: 30,
    fallback: 15,
    label: { en: "Mitigation duration", ru: "Длительность защиты" },
    said: {
      en: "Mitigation duration must be a whole number from 0 to 30 minutes",
      ru: "Длительность защиты: целое число от 0 до 30 минут",
    },
  },
};

const limitZero = {
  en: "A limit that is on cannot be 0. Turn it off, or choose at least 1",
  ru: "Включённый лимит не может быть 0. Выключите его или выберите не меньше 1",
};

/** From none to the strictest. */
export const levelRows: Readonly<Record<AntibotLevel, Texts>> = {
  disabled: { en: "Disabled", ru: "Выключен" },
  low: { en: "Low", ru: "Низкий" },
  medium: { en: "Medium", ru: "Средний" },
  high: { en: "High", ru: "Высокий" },
  extreme: { en: "Extreme", ru: "Экстремальный" },
};

/** Nothing but on or off. */
export type ToggleSetting = Extract<
  keyof MitigationSettings,
  "advanced_antibot" | "secure_profiles" | "anti_vpn" | "anti_forge" | "shadow_mode"
>;

/** The shadow mode stands above all tabs. */
export const toggleRows: Readonly<
  Record<ToggleSetting, { readonly tab: MitigationTab; readonly label: Texts }>
> = {
  advanced_antibot: {
    tab: "antibot",
    label: { en: "Advanced AntiBot", ru: "Расширенный AntiBot" },
  },
  secure_profiles: {
    tab: "miscellaneous",
    label: { en: "Secure profiles", ru: "Защищённые профили" },
  },
  anti_vpn: { tab: "miscellaneous", label: { en: "Anti-VPN", ru: "Anti-VPN" } },
  anti_forge: { tab: "miscellaneous", label: { en: "Anti-Forge", ru: "Anti-Forge" } },
  shadow_mode: { tab: "general", label: { en: "Shadow mode", ru: "Теневой режим" } },
};

/** The page shows this where the settings cannot be read. */
export const fallbackLevel: AntibotLevel = "disabled";

/** Offered where the maintained list cannot be read, which has all of them in this order. */
export const fallbackVersions: readonly string[] = [
  ..."1.5.2 1.6.4 1.7.10 1.8 1.8.8 1.9.4 1.10.2 1.11.2 1.12.2 1.13.2 1.14.4 1.15.2".split(" "),
  ..."1.16.5 1.17.1 1.18.2 1.19.4 1.20.4 1.20.6 1.21 1.21.1 1.21.8".split(" "),
];

type Range = MitigationSettings["minecraft_versions"];

/** One after the other on one page, each from what the one before it left. */
export interface VersionStep {
  readonly rule: string;
  /** The step: a version is chosen, or versions below 1.8 are allowed or not. */
  readonly from?: string;
  readonly to?: string;
  readonly belowAllowed?: boolean;
  readonly shown: Range;
  /** The first that each end offers. */
  readonly offeredFrom: string;
  readonly offeredTo: string;
}

/** As it is loaded: the later one first, as no page stores it. */
export const reversedRange: Range = { min: "1.20.4", max: "1.12.2" };

export const versionSteps: readonly VersionStep[] = [
  {
    rule: "a loaded min after max is swapped; below 1.8 nothing is offered",
    shown: { min: "1.12.2", max: "1.20.4" },
    offeredFrom: "1.8",
    offeredTo: "1.12.2",
  },
  {
    rule: "'To' offers versions at or after 'From' only",
    from: "1.16.5",
    shown: { min: "1.16.5", max: "1.20.4" },
    offeredFrom: "1.8",
    offeredTo: "1.16.5",
  },
  {
    rule: "'From' keeps 'To' at least equal to it",
    from: "1.21.1",
    shown: { min: "1.21.1", max: "1.21.1" },
    offeredFrom: "1.8",
    offeredTo: "1.21.1",
  },
  {
    rule: "'To' leaves 'From' alone",
    to: "1.21.8",
    shown: { min: "1.21.1", max: "1.21.8" },
    offeredFrom: "1.8",
    offeredTo: "1.21.1",
  },
  {
    rule: "versions below 1.8 are offered once they are allowed",
    belowAllowed: true,
    from: "1.6.4",
    shown: { min: "1.6.4", max: "1.21.8" },
    offeredFrom: "1.5.2",
    offeredTo: "1.6.4",
  },
  {
    rule: "no longer allowed, 'From' is 1.8",
    belowAllowed: false,
    shown: { min: "1.8", max: "1.21.8" },
    offeredFrom: "1.8",
    offeredTo: "1.8",
  },
];

/** Settings that depend on others, in the API and on the page alike. */
export const dependentRules = {
  zeroWhileOff: "a limit that is off may be 0, and is refused once it is on",
  swapped: "of two versions the earlier one is the lower end, whichever way round they come",
  lowerCase: "the level is sent and kept in lower case",
  rest: "what was not changed stays",
} as const;

export type DependentRule = keyof typeof dependentRules;

/** Refusals that do not depend on the typed value; the page prevents them or shows another text. */
export interface MitigationRefusal extends Texts {
  readonly when: string;
  readonly status: number;
  readonly code: ErrorCode;
}

export const mitigationRefusals = {
  planRequired: {
    when: "a level above the plan is chosen",
    status: 403,
    code: "plan_required",
    en: "Your plan does not include this",
    ru: "Ваш тариф этого не включает",
  },
  changedMeanwhile: {
    when: "another member saved after the settings were read",
    status: 412,
    code: "precondition_failed",
    en: "These settings have changed since you opened them",
    ru: "Настройки изменились с тех пор, как вы их открыли",
  },
  notActive: {
    when: "the server is not active",
    status: 409,
    code: "server_not_active",
    en: "Server must be active to change this",
    ru: "Чтобы изменить это, сервер должен быть активен",
  },
} as const satisfies Record<string, MitigationRefusal>;

const beyond = (name: MitigationLimit, values: readonly number[], said: Texts): FieldRule[] =>
  values.map((value) => ({ field: name, value, typed: String(value), ...said }));

const rulesOf = (tab: MitigationTab): FieldRule[] =>
  Object.entries(limitRows)
    .filter(([, row]) => row.tab === tab)
    .flatMap(([key, { min, max, said }]) => {
      // A key of the table: `Object.entries` cannot know.
      const name = key as MitigationLimit;
      const zero = min === 0 ? beyond(name, [0], limitZero) : [];
      return [...beyond(name, [min - 1, max + 1, min + 0.5], said), ...zero];
    });

const version = { en: "Choose a version from the list", ru: "Выберите версию из списка" };

export const generalRules: readonly FieldRule[] = [
  ...rulesOf("general"),
  // The page offers those of the list only.
  { field: "minecraft_versions", value: { min: "1.8", max: "9.9" }, typed: null, ...version },
];

export const antibotRules: readonly FieldRule[] = [
  ...rulesOf("antibot"),
  {
    field: "antibot_level",
    value: "High",
    typed: null,
    en: "AntiBot level must be Disabled, Low, Medium, High or Extreme",
    ru: "Уровень AntiBot: Disabled, Low, Medium, High или Extreme",
  },
];

export const miscellaneousRules: readonly FieldRule[] = (
  ["secure_profiles", "anti_vpn", "anti_forge"] as const
).map((field) => ({
  field,
  value: "yes",
  typed: null,
  en: "Must be true or false",
  ru: "Допустимо только true или false",
}));

/** A body with every limit of the tab switched on. */
export function rightBody(tab: MitigationTab): Record<string, number | boolean> {
  const its = Object.entries(limitRows).filter(([, row]) => row.tab === tab);
  return Object.fromEntries(
    its.flatMap(([name, { fallback }]) => [
      [`${name}_enabled`, true],
      [name, fallback],
    ]),
  );
}
