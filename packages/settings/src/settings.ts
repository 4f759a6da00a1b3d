import { z } from "zod";
import {
  addresses,
  downloads,
  hostAndPort,
  isSafeUrl,
  list,
  port,
  portRange,
  ranges,
  tsigKey,
  urlPrefix,
} from "./value-schemas.ts";

/**
 * Every environment variable of the product: one table, from which each program's
 * config.ts picks, the documentation is generated and production is checked.
 */

type Program = "api" | "edge" | "dns" | "supervisor";

interface Setting<S extends z.ZodType, F extends string | null> {
  readonly schema: S;
  /** The default, as it would be written in the environment; null where there is none. */
  readonly fallback: F;
  readonly description: string;
  readonly programs: readonly Program[];
  readonly secret?: boolean;
  /** Must be set where PALISADE_ENV=production. */
  readonly requiredInProduction?: boolean;
  /** What is wrong with a value of this form where PALISADE_ENV=production. */
  readonly refusedInProduction?: (value: string) => string | undefined;
}

function setting<S extends z.ZodType, const F extends string | null>(
  definition: Setting<S, F>,
): Setting<S, F> {
  return definition;
}

export const settings = {
  PALISADE_ENV: setting({
    schema: z.enum(["development", "production"], "must be development or production"),
    fallback: "development",
    description: "`production` refuses every development default.",
    programs: ["api", "edge", "dns", "supervisor"],
  }),
  PALISADE_HOME: setting({
    schema: z.string().min(1, "must name a folder"),
    fallback: ".palisade",
    description: "Folder for state: embedded PostgreSQL, credentials, last good configuration.",
    programs: ["api", "edge", "dns", "supervisor"],
  }),
  PALISADE_LOG_LEVEL: setting({
    schema: z.enum(["trace", "debug", "info", "warn", "error", "silent"], "must be a log level"),
    fallback: "info",
    description: "Level of the JSON logs.",
    programs: ["api", "edge", "dns", "supervisor"],
  }),
  PALISADE_HTTP_HOST: setting({
    schema: z.string().min(1, "must be an address"),
    fallback: "127.0.0.1",
    description: "Address the api and console listen on.",
    programs: ["api", "supervisor"],
  }),
  PALISADE_HTTP_PORT: setting({
    schema: port,
    fallback: "8080",
    description: "Port of api and console; 0 takes any free one.",
    programs: ["api", "supervisor"],
  }),
  PALISADE_PUBLIC_URL: setting({
    schema: z.url("must be a URL"),
    fallback: null,
    description:
      "URL of the console as people open it, for links in mails. Default: the listening address.",
    programs: ["api"],
    requiredInProduction: true,
  }),
  PALISADE_TRUSTED_PROXIES: setting({
    schema: list,
    fallback: "",
    description: "Addresses or CIDR ranges, comma separated, whose X-Forwarded-For is believed.",
    programs: ["api"],
  }),
  DATABASE_URL: setting({
    schema: z.string().min(1, "must be a PostgreSQL URL"),
    fallback: null,
    description: "PostgreSQL 15 or newer as the runtime role. Default: the embedded PostgreSQL.",
    programs: ["api", "supervisor"],
    secret: true,
    requiredInProduction: true,
  }),
  DATABASE_MIGRATE_URL: setting({
    schema: z.string().min(1, "must be a PostgreSQL URL"),
    fallback: null,
    description: "The same database as its owner, for migrations.",
    programs: ["api", "supervisor"],
    secret: true,
  }),
  PALISADE_SECRET: setting({
    schema: z.string().min(32, "must have at least 32 characters"),
    fallback: null,
    description:
      "Key of cookie signatures and of secrets at rest. After a change run `cookies renew`. Default in development: made and kept in PALISADE_HOME.",
    programs: ["api"],
    secret: true,
    requiredInProduction: true,
  }),
  SMTP_URL: setting({
    schema: z.string().regex(/^smtps?:\/\//, "must begin with smtp:// or smtps://"),
    fallback: null,
    description:
      "Mail server: smtp://user:password@host:587 (STARTTLS) or smtps://. A password goes over TLS only, unless ?requireTLS=false is appended. Default in development: the mailbox at /dev/mail.",
    programs: ["api"],
    secret: true,
    requiredInProduction: true,
  }),
  PALISADE_MAIL_FROM: setting({
    schema: z.string().min(3, "must be a mail address"),
    fallback: "Palisade <palisade@localhost>",
    description: "Sender of mails.",
    programs: ["api"],
    requiredInProduction: true,
  }),
  PALISADE_DISCORD_INVITE: setting({
    schema: z.url({ protocol: /^https$/, error: "must be an https URL" }),
    fallback: null,
    description: "Invitation to the operator's Discord, shown in the profile. Default: hidden.",
    programs: ["api"],
  }),
  PALISADE_OPERATOR_NAME: setting({
    schema: z.string().trim().min(1, "must be a name").max(200, "must have at most 200 characters"),
    fallback: "Operator not named",
    description: "Who runs this installation: person or company, for terms and privacy policy.",
    programs: ["api"],
    requiredInProduction: true,
  }),
  PALISADE_OPERATOR_ADDRESS: setting({
    schema: z
      .string()
      .trim()
      .min(1, "must be an address")
      .max(400, "must have at most 400 characters"),
    fallback: "Address not named",
    description: "Postal address of the operator.",
    programs: ["api"],
    requiredInProduction: true,
  }),
  PALISADE_OPERATOR_EMAIL: setting({
    schema: z.email("must be an e-mail address"),
    fallback: "operator@example.com",
    description: "Where people write to about terms and their data.",
    programs: ["api"],
    requiredInProduction: true,
  }),
  PALISADE_SOURCE_URL: setting({
    schema: z.url({ protocol: /^https$/, error: "must be an https URL" }),
    fallback: null,
    description:
      "Where the source code of this installation is, linked from the public pages. Default: hidden.",
    programs: ["api"],
  }),
  PALISADE_ZONE: setting({
    schema: z.string().regex(/^[a-z0-9.-]+$/, "must be a lower-case domain name"),
    fallback: "gs.localhost",
    description: "DNS zone below which shields get their CNAME label.",
    programs: ["api", "edge", "dns"],
    requiredInProduction: true,
  }),
  PALISADE_DNS_RESOLVERS: setting({
    schema: list,
    fallback: "",
    description:
      "Resolvers that domains are checked with: `address` or `address:port`, comma separated, at most 3. Default: the machine's.",
    programs: ["api"],
  }),
  PALISADE_ZONE_SERVER: setting({
    schema: z.string().min(1, "must be an address"),
    fallback: null,
    description:
      "`address:port` at which the api asks zone DNS for labels. Default: the one `npm start` runs, else the resolvers.",
    programs: ["api"],
  }),
  PALISADE_PRIVATE_BACKENDS: setting({
    schema: list,
    fallback: "",
    description:
      "Private CIDR ranges, comma separated, that may be used as backends. In development all may.",
    programs: ["api", "edge"],
  }),
  PALISADE_PROXY_TRUSTED: setting({
    schema: ranges,
    fallback: "",
    description:
      "Addresses or CIDR ranges, comma separated, of proxies in front of the edge. Connections from them must begin with a PROXY protocol header (version 1 or 2), whose source is the player.",
    programs: ["edge"],
  }),
  PALISADE_OTHER_PORTS: setting({
    schema: portRange,
    fallback: "30000-30199",
    description:
      "TCP ports of backend groups of other games than Minecraft, first-last: every edge must be reachable at them.",
    programs: ["api"],
  }),
  PALISADE_FAILPOINTS: setting({
    schema: list,
    fallback: "",
    description:
      "Names of points at which the program kills itself, for crash tests. Refused in production.",
    programs: ["api", "edge"],
  }),
  PALISADE_API_URL: setting({
    schema: z.url("must be a URL"),
    fallback: "http://127.0.0.1:8080",
    description: "Where edges and zone DNS find the api.",
    programs: ["edge", "dns"],
    requiredInProduction: true,
  }),
  PALISADE_EDGE_TOKEN: setting({
    schema: z.string().min(16, "must be an enrolment token"),
    fallback: null,
    description:
      "One-time enrolment token; needed until the credential is stored in PALISADE_HOME.",
    programs: ["edge", "dns"],
    secret: true,
  }),
  PALISADE_EDGE_ADDRESSES: setting({
    schema: list,
    fallback: "127.0.0.1",
    description: "Public addresses of this edge, comma separated; zone DNS answers with them.",
    programs: ["edge"],
    requiredInProduction: true,
  }),
  PALISADE_JAVA_HOST: setting({
    schema: z.string().min(1, "must be an address"),
    fallback: "0.0.0.0",
    description: "Address the edge takes Java players on.",
    programs: ["edge"],
  }),
  PALISADE_JAVA_PORT: setting({
    schema: port,
    fallback: "25565",
    description: "Port the edge takes Java players on; 0 takes any free one.",
    programs: ["edge", "supervisor"],
  }),
  PALISADE_EDGE_METRICS_PORT: setting({
    schema: port,
    fallback: "9465",
    description:
      "Loopback port of the edge's /healthz, /readyz and /metrics; 0 takes any free one.",
    programs: ["edge", "supervisor"],
  }),
  PALISADE_EDGE_WORKERS: setting({
    schema: z
      .string()
      .regex(/^(auto|[0-9]|1[0-6])$/, "must be auto or a number from 0 to 16")
      .transform((value) => (value === "auto" ? value : Number(value))),
    fallback: "auto",
    description:
      "Threads that take players, each with a process that relays those it has let in: `auto` is one for each core, up to 16. `1`: no thread besides the program's own. `0`: nor a process.",
    programs: ["edge"],
  }),
  PALISADE_KERNEL: setting({
    schema: z.enum(["auto", "off"], "must be auto or off"),
    fallback: "auto",
    description:
      "`auto`: where the edge may (CAP_NET_ADMIN and nft), a table of nftables drops new connections of sources that abuse the edge. `off`: the edge refuses them by itself.",
    programs: ["edge"],
  }),
  PALISADE_SESSION_SERVER_URL: setting({
    schema: urlPrefix,
    fallback: "https://sessionserver.mojang.com",
    description:
      "Where the edge asks whether a player's account has joined, for shields that want paid accounts proven. In production https, or http on this machine: whoever sits in between could let everybody in.",
    programs: ["edge"],
    refusedInProduction: (url) =>
      isSafeUrl(url) ? undefined : "must be an https URL in production, or http on this machine",
  }),
  PALISADE_VPN_LISTS: setting({
    schema: list,
    fallback: "",
    description:
      "Files, and folders with files, of addresses that anti-VPN refuses, comma separated (docs/operations/anti-vpn.md). Default: the folder `vpn` in PALISADE_HOME.",
    programs: ["edge"],
  }),
  PALISADE_VPN_SOURCES: setting({
    schema: downloads,
    fallback: "",
    description:
      "`file=URL`, comma separated: what `npm run vpn:update` downloads, and the file in the folder `vpn` of PALISADE_HOME that it becomes.",
    programs: ["edge"],
    secret: true,
  }),
  PALISADE_DNS_HOST: setting({
    schema: z.string().min(1, "must be an address"),
    fallback: "127.0.0.1",
    description: "Address zone DNS answers on.",
    programs: ["dns"],
  }),
  PALISADE_DNS_PORT: setting({
    schema: port,
    fallback: "5353",
    description: "UDP and TCP port of zone DNS; 0 takes any free one.",
    programs: ["dns", "supervisor"],
  }),
  PALISADE_DNS_ADDRESSES: setting({
    schema: addresses,
    fallback: "",
    description:
      "Public addresses of zone DNS, comma separated, as `ns1` of the zone. Default: the one it listens on.",
    programs: ["dns"],
  }),
  PALISADE_DNS_UPDATE_SERVER: setting({
    schema: hostAndPort,
    fallback: null,
    description:
      "`address:port` of the zone's primary at another provider: zone DNS exports the labels to it by DNS UPDATE over TCP. Needs PALISADE_DNS_UPDATE_KEY. Default: no export.",
    programs: ["dns"],
  }),
  PALISADE_DNS_UPDATE_KEY: setting({
    schema: tsigKey,
    fallback: null,
    description:
      "TSIG key (hmac-sha256) of the export, as `name:secret` with the secret in base64. It must be allowed A and AAAA below the zone.",
    programs: ["dns"],
    secret: true,
  }),
} as const;

export type SettingName = keyof typeof settings;

type Value<N extends SettingName> = z.output<(typeof settings)[N]["schema"]>;

/** Settings with a default always have a value; the others may be undefined. */
export type SettingValues<N extends SettingName> = {
  readonly [K in N]: (typeof settings)[K]["fallback"] extends string
    ? Value<K>
    : Value<K> | undefined;
};

/** One line per wrong setting, naming it and the fix. Values are never repeated: they may be secret. */
export class SettingsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Settings are not usable:\n${problems.map((p) => `  ${p}`).join("\n")}`);
    this.name = "SettingsError";
    this.problems = problems;
  }
}

/**
 * Reads the named settings. An empty variable counts as not set.
 *
 * @param environment usually `process.env`, read in config.ts only
 * @throws SettingsError naming every wrong or missing setting at once
 */
export function readSettings<const N extends SettingName>(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly N[],
): SettingValues<N> {
  const production = environment["PALISADE_ENV"] === "production";
  const problems: string[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of names) {
    const definition: Setting<z.ZodType, string | null> = settings[name];
    const given = environment[name];
    const isSet = given !== undefined && given !== "";
    if (!isSet && production && definition.requiredInProduction === true) {
      problems.push(`${name} must be set in production: ${definition.description}`);
      continue;
    }
    const raw = isSet ? given : definition.fallback;
    if (raw === null) continue;
    const parsed = definition.schema.safeParse(raw);
    const problem = parsed.success
      ? production && definition.refusedInProduction?.(raw)
      : (parsed.error.issues[0]?.message ?? "is not valid");
    if (problem) problems.push(`${name} ${problem}`);
    else values[name] = parsed.data;
  }
  if (production && environment["PALISADE_FAILPOINTS"]) {
    problems.push("PALISADE_FAILPOINTS must not be set in production");
  }
  if (problems.length > 0) throw new SettingsError(problems);
  // Every name was either given a checked value or left out as undefined.
  return values as SettingValues<N>;
}
