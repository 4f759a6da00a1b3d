import type { RouteDefinition } from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import {
  antibotRules,
  generalRules,
  levelRows,
  limitRows,
  miscellaneousRules,
  rightBody,
  type MitigationTab,
} from "./mitigation-rules.ts";
import { letters, missing, type FieldRule, type Texts } from "./rules.ts";
import type { Section } from "./shield-message.ts";
import { nameRules } from "./wizard-rules.ts";

/** The validation rules in the sections of a shield; the wizard has its own table. */

const ipRequired = { en: "IP is required", ru: "Введите IP" };
const ipFormat = {
  en: "The IP field must be a valid IP address.",
  ru: "Поле IP должно содержать корректный адрес.",
};
const entryRequired = {
  en: "Enter an IP address, a range or a player's name",
  ru: "Введите IP-адрес, диапазон или имя игрока",
};
const entryFormat = {
  en: "Enter an IP address, a range in CIDR form or a player's name: 1 to 16 letters, digits and underscores",
  ru: "Введите IP-адрес, диапазон в форме CIDR или имя игрока: от 1 до 16 латинских букв, цифр и подчёркиваний",
};
const portRequired = { en: "Port is required", ru: "Введите порт" };
const portFormat = {
  en: "The port field must be a valid port number.",
  ru: "Поле порта должно содержать корректный номер порта.",
};
const domainRequired = { en: "Domain is required", ru: "Введите домен" };
const domainFormat = {
  en: "Enter a valid domain (play.example.com)",
  ru: "Введите домен, например play.example.com",
};
const inviteeRequired = {
  en: "Enter an e-mail or a username",
  ru: "Введите e-mail или имя пользователя",
};
const inviteeFormat = {
  en: "Enter a valid e-mail or username",
  ru: "Введите корректный e-mail или имя пользователя",
};
const groupNameRequired = { en: "Name is required", ru: "Введите название" };
const groupNameMax = {
  en: "Name must not exceed 255 characters",
  ru: "Название не длиннее 255 символов",
};

const empty = (field: string, said: Texts): readonly FieldRule[] => [
  { field, value: missing, typed: "", ...said },
  { field, value: "", typed: "", ...said },
];

const wrong = (field: string, value: string, said: Texts): FieldRule => ({
  field,
  value,
  typed: value,
  ...said,
});

/** A port is a number from 1 to 65535. */
const serverRules: readonly FieldRule[] = [
  ...empty("ip", ipRequired),
  wrong("ip", "256.1.1.1", ipFormat),
  wrong("ip", "1.2.3", ipFormat),
  wrong("ip", "not an address", ipFormat),
  { field: "port", value: missing, typed: "", ...portRequired },
  { field: "port", value: 0, typed: "0", ...portFormat },
  { field: "port", value: 65_536, typed: "65536", ...portFormat },
  { field: "port", value: 99_999, typed: "99999", ...portFormat },
  { field: "port", value: 1.5, typed: null, ...portFormat },
];

const groupRules: readonly FieldRule[] = [
  ...empty("name", groupNameRequired),
  wrong("name", letters(256), groupNameMax),
];

const claimRules: readonly FieldRule[] = [
  ...empty("domain", domainRequired),
  wrong("domain", "example", domainFormat),
  wrong("domain", "-a.example.com", domainFormat),
  wrong("domain", "play.example.c", domainFormat),
  wrong("domain", "a b.example.com", domainFormat),
];

const inviteeRules: readonly FieldRule[] = [
  ...empty("email", inviteeRequired),
  wrong("email", "anna@", inviteeFormat),
  wrong("email", "a b", inviteeFormat),
];

const entryRules: readonly FieldRule[] = [
  ...empty("ip", entryRequired),
  wrong("ip", "256.1.1.1", entryFormat),
  wrong("ip", "10.0.0.0/33", entryFormat),
  wrong("ip", "2001:db8::/129", entryFormat),
  wrong("ip", "no name", entryFormat),
];

/** A call about a shield, a body it takes, and every rule its fields are held to. */
export interface SectionForm {
  readonly route: RouteDefinition;
  readonly section: Section;
  readonly right: Readonly<Record<string, string | number | boolean>>;
  readonly rules: readonly FieldRule[];
}

export const sectionForms: Readonly<
  Record<
    "rename" | "group" | "server" | "domain" | "invitee" | "entry" | MitigationTab,
    SectionForm
  >
> = {
  rename: {
    route: routes.serverLife.renameServer,
    section: "page",
    right: { server_name: "Skyline" },
    rules: nameRules,
  },
  group: {
    route: routes.backends.createBackendGroup,
    section: "backends",
    right: { name: "Second" },
    rules: groupRules,
  },
  server: {
    route: routes.backends.addBackendServer,
    section: "backends",
    right: { ip: "203.0.113.5", port: 25_565 },
    rules: serverRules,
  },
  domain: {
    route: routes.shieldDomains.addDomain,
    section: "domains",
    right: { domain: "second.example.com" },
    rules: claimRules,
  },
  invitee: {
    route: routes.subUsers.addSubUser,
    section: "subusers",
    right: { email: "friend@example.com" },
    rules: inviteeRules,
  },
  entry: {
    route: routes.firewall.addFirewallEntry,
    section: "firewall",
    right: { type: "blacklist", ip: "198.51.100.7" },
    rules: entryRules,
  },
  general: {
    route: routes.mitigation.updateMitigation,
    section: "mitigation",
    right: rightBody("general"),
    rules: generalRules,
  },
  antibot: {
    route: routes.mitigation.updateMitigation,
    section: "mitigation",
    right: { antibot_level: "medium", ...rightBody("antibot") },
    rules: antibotRules,
  },
  miscellaneous: {
    route: routes.mitigation.updateMitigation,
    section: "mitigation",
    right: { secure_profiles: false },
    rules: miscellaneousRules,
  },
};

/** Values at the limits, which the same rules accept. */
export const sectionBounds: readonly (Pick<FieldRule, "field" | "value"> & {
  readonly form: keyof typeof sectionForms;
})[] = [
  { form: "server", field: "ip", value: "2001:db8::5" },
  { form: "server", field: "ip", value: "mc.example.com" },
  { form: "server", field: "port", value: 1_024 },
  { form: "server", field: "port", value: 65_535 },
  { form: "entry", field: "ip", value: "2001:db8::/32" },
  { form: "entry", field: "ip", value: "10.0.0.0/8" },
  { form: "rename", field: "server_name", value: letters(255) },
  ...Object.entries(limitRows).flatMap(([field, { tab, min, max }]) =>
    // A limit that is on is at least 1.
    [min || 1, max].map((value) => ({ form: tab, field, value })),
  ),
  ...Object.keys(levelRows).map((value) => ({
    form: "antibot" as const,
    field: "antibot_level",
    value,
  })),
];
