import { readFileSync } from "node:fs";
import { z } from "zod";
import { refuseOpenDatabase, refuseOpenMailServer, refuseUnsafeUrl } from "./encrypted-urls.ts";
import { fileSettings } from "./file-settings.ts";
import { otherServicesPorts } from "./other-services-ports.ts";
import { paymentSettings } from "./payment-settings.ts";
import { setting, type Setting } from "./setting.ts";
import { staffSettings } from "./staff-settings.ts";
import { supportMailSettings } from "./support-mail-settings.ts";
import {
  addresses,
  downloads,
  hostAndPort,
  list,
  port,
  portRange,
  portRanges,
  ranges,
  tsigKey,
  urlPrefix,
  wholeNumber,
} from "./value-schemas.ts";

/**
 * Every environment variable of the product in one table. Each program's config.ts reads its settings
 * from it, the documentation is generated from it, and production is checked against it.
 */

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
    description: "Port of api and console; 0 means any free one.",
    programs: ["api", "supervisor"],
  }),
  PALISADE_TLS: setting({
    schema: z.enum(["off", "files", "acme"], "must be off, files or acme"),
    fallback: "off",
    description:
      "The program that encrypts (docs/operations/tls.md). `off`: a proxy in front of the api. `files`: the api, with the certificate of PALISADE_TLS_CERTIFICATE. `acme`: the api, with a certificate of the CA of PALISADE_ACME_URL; with that you agree to the CA's terms.",
    programs: ["api"],
  }),
  PALISADE_HTTPS_PORT: setting({
    schema: port,
    fallback: "8443",
    description:
      "Port of api and console with TLS; 0 means any free one. PALISADE_HTTP_PORT then sends browsers to PALISADE_PUBLIC_URL.",
    programs: ["api"],
  }),
  PALISADE_TLS_CERTIFICATE: setting({
    schema: z.string().min(1, "must name a file"),
    fallback: null,
    description:
      "PEM file of the certificate and its chain, for PALISADE_TLS=files. The api looks for changes each minute.",
    programs: ["api"],
  }),
  PALISADE_TLS_KEY: setting({
    schema: z.string().min(1, "must name a file"),
    fallback: null,
    description: "PEM file of the certificate's private key.",
    programs: ["api"],
  }),
  PALISADE_ACME_URL: setting({
    schema: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }),
    fallback: "https://acme-v02.api.letsencrypt.org/directory",
    description: "Directory of the CA (RFC 8555), for PALISADE_TLS=acme.",
    programs: ["api"],
    refusedInProduction: refuseUnsafeUrl,
  }),
  PALISADE_ACME_EMAIL: setting({
    schema: z.email("must be an e-mail address"),
    fallback: null,
    description: "Address to which the CA writes about certificates that are about to expire.",
    programs: ["api"],
  }),
  PALISADE_API_METRICS_PORT: setting({
    schema: port,
    fallback: "9464",
    description: "Loopback port of the api's /metrics; 0 means any free one.",
    programs: ["api", "supervisor"],
  }),
  PALISADE_PUBLIC_URL: setting({
    schema: urlPrefix,
    fallback: null,
    description:
      "URL at which users open the console, for links in mails. Passkeys are bound to its domain: another one makes them useless. In production it must be https, or http on this machine. Default: the listening address.",
    programs: ["api"],
    requiredInProduction: true,
    refusedInProduction: refuseUnsafeUrl,
  }),
  PALISADE_TRUSTED_PROXIES: setting({
    schema: list,
    fallback: "",
    description:
      "Addresses or CIDR ranges of reverse proxies, comma separated, whose X-Forwarded-For header is trusted.",
    programs: ["api"],
  }),
  DATABASE_URL: setting({
    schema: z.string().min(1, "must be a PostgreSQL URL"),
    fallback: null,
    description:
      "URL of PostgreSQL 15 or newer with the runtime role. In production it must end in `?sslmode=verify-full`, unless PostgreSQL is on this machine. Default: the embedded PostgreSQL.",
    programs: ["api", "supervisor"],
    secret: true,
    requiredInProduction: true,
    refusedInProduction: refuseOpenDatabase,
  }),
  DATABASE_MIGRATE_URL: setting({
    schema: z.string().min(1, "must be a PostgreSQL URL"),
    fallback: null,
    description: "URL of the same database with its owner role, for migrations.",
    programs: ["api", "supervisor"],
    secret: true,
    refusedInProduction: refuseOpenDatabase,
  }),
  PALISADE_SECRET: setting({
    schema: z.string().min(32, "must have at least 32 characters"),
    fallback: null,
    description:
      "Key that signs cookies and encrypts stored secrets, without a comma. docs/operations/secrets.md says how to rotate it. Default in development: created and kept in PALISADE_HOME.",
    programs: ["api"],
    secret: true,
    requiredInProduction: true,
  }),
  PALISADE_FORMER_SECRETS: setting({
    schema: list,
    fallback: "",
    description:
      "Earlier values of PALISADE_SECRET, comma separated, the newest first. They only read: rows of the audit log from their time, and what `secrets reencrypt` has not encrypted again (docs/operations/secrets.md).",
    programs: ["api"],
    secret: true,
  }),
  SMTP_URL: setting({
    schema: z.string().regex(/^smtps?:\/\//, "must begin with smtp:// or smtps://"),
    fallback: null,
    description:
      "Mail server: smtp://user:password@host:587 (STARTTLS) or smtps://. Mails are sent over TLS only, except to this machine; outside production, ?requireTLS=false allows it elsewhere. Default in development: the mailbox at /dev/mail.",
    programs: ["api"],
    secret: true,
    requiredInProduction: true,
    refusedInProduction: refuseOpenMailServer,
  }),
  PALISADE_MAIL_FROM: setting({
    schema: z.string().min(3, "must be a mail address"),
    fallback: "Palisade <palisade@localhost>",
    description: "Sender of mails.",
    programs: ["api"],
    requiredInProduction: true,
  }),
  ...supportMailSettings,
  ...fileSettings,
  ...staffSettings,
  ...paymentSettings,
  PALISADE_DISCORD_INVITE: setting({
    schema: z.url({ protocol: /^https$/, error: "must be an https URL" }),
    fallback: null,
    description:
      "Invitation link of the operator's Discord, shown in the profile. Default: hidden.",
    programs: ["api"],
  }),
  PALISADE_OPERATOR_NAME: setting({
    schema: z.string().trim().min(1, "must be a name").max(200, "must have at most 200 characters"),
    fallback: "Operator not named",
    description:
      "Person or company that runs this installation, for the terms and the privacy policy.",
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
    description: "E-mail address for questions about the terms and personal data.",
    programs: ["api"],
    requiredInProduction: true,
  }),
  PALISADE_SELLER_COUNTRY: setting({
    schema: z.string().regex(/^[A-Z]{2}$/, "must be a country code of two capital letters"),
    fallback: null,
    description:
      "Country of the operator (ISO 3166), on receipts and invoices, beside PALISADE_OPERATOR_NAME, _ADDRESS and _EMAIL.",
    programs: ["api"],
  }),
  PALISADE_SELLER_VAT_ID: setting({
    schema: z.string().trim().min(4, "must be a VAT id").max(20, "must be a VAT id"),
    fallback: null,
    description: "VAT id of the operator, on receipts and invoices.",
    programs: ["api"],
  }),
  PALISADE_VAT: setting({
    schema: z.enum(["off", "on"], "must be off or on"),
    fallback: "off",
    description:
      "`on` adds VAT to net prices (docs/operations/vat.md); it needs PALISADE_SELLER_COUNTRY and PALISADE_SELLER_VAT_ID. `off`: 0 %.",
    programs: ["api"],
  }),
  PALISADE_VIES_URL: setting({
    schema: urlPrefix,
    fallback: "https://ec.europa.eu/taxation_customs/vies/rest-api",
    description:
      "REST interface of VIES, which is asked about VAT ids of businesses while PALISADE_VAT is on.",
    programs: ["api"],
    refusedInProduction: refuseUnsafeUrl,
  }),
  PALISADE_SOURCE_URL: setting({
    schema: z.url({ protocol: /^https$/, error: "must be an https URL" }),
    fallback: null,
    description:
      "URL of this installation's source code, linked from the public pages. Default: hidden.",
    programs: ["api"],
  }),
  PALISADE_ZONE: setting({
    schema: z.string().regex(/^[a-z0-9.-]+$/, "must be a lower-case domain name"),
    fallback: "gs.localhost",
    description: "DNS zone in which each shield gets its CNAME label.",
    programs: ["api", "edge", "dns"],
    requiredInProduction: true,
  }),
  PALISADE_DNS_RESOLVERS: setting({
    schema: list,
    fallback: "",
    description:
      "DNS resolvers for checking domains: `address` or `address:port`, comma separated, at most 3. Default: the machine's resolvers.",
    programs: ["api"],
  }),
  PALISADE_ZONE_SERVER: setting({
    schema: z.string().min(1, "must be an address"),
    fallback: null,
    description:
      "`address:port` of zone DNS, which the api asks for labels. Default: the zone DNS that `npm start` runs, otherwise the resolvers.",
    programs: ["api"],
  }),
  PALISADE_PRIVATE_BACKENDS: setting({
    schema: list,
    fallback: "",
    description:
      "Private CIDR ranges, comma separated, that are allowed as backends. In development all are.",
    programs: ["api", "edge"],
  }),
  PALISADE_BACKEND_PORTS: setting({
    schema: portRanges,
    fallback: "1024-65535",
    description: "Ports and ranges (first-last), comma separated, that backends may have.",
    programs: ["api", "edge"],
  }),
  PALISADE_BACKEND_PORTS_REFUSED: setting({
    schema: portRanges,
    fallback: otherServicesPorts,
    description:
      "Ports and ranges, comma separated, that no backend may have all the same: by default those of well-known services that are no games. Empty for none.",
    programs: ["api", "edge"],
  }),
  PALISADE_PROXY_TRUSTED: setting({
    schema: ranges,
    fallback: "",
    description:
      "Addresses or CIDR ranges, comma separated, of proxies in front of the edge. Connections from them must begin with a PROXY protocol header (version 1 or 2) that names the player's address.",
    programs: ["edge"],
  }),
  PALISADE_OTHER_PORTS: setting({
    schema: portRange,
    fallback: "30000-30199",
    description:
      "Range of TCP ports (first-last) for backend groups of games other than Minecraft. Every edge must be reachable at them.",
    programs: ["api"],
  }),
  PALISADE_BEDROCK_PORT: setting({
    schema: port,
    fallback: "19132",
    description:
      "The default UDP port of Bedrock, which a shield has where staff granted it. Every edge must be reachable at it.",
    programs: ["api"],
  }),
  PALISADE_BEDROCK_PORTS: setting({
    schema: portRange,
    fallback: "20000-29999",
    description:
      "Range of UDP ports (first-last) from which shields get random ports for Bedrock. Every edge must be reachable at them.",
    programs: ["api"],
  }),
  PALISADE_FAILPOINTS: setting({
    schema: list,
    fallback: "",
    description:
      "Names of points in the code at which the program kills itself, for crash tests. Refused in production.",
    programs: ["api", "edge"],
  }),
  PALISADE_API_URL: setting({
    schema: urlPrefix,
    fallback: "http://127.0.0.1:8080",
    description:
      "URL of the api for edges and zone DNS. In production it must be https, or http on this machine, because it carries credentials and the configuration.",
    programs: ["edge", "dns"],
    requiredInProduction: true,
    refusedInProduction: refuseUnsafeUrl,
  }),
  PALISADE_EDGE_TOKEN: setting({
    schema: z.string().min(16, "must be an enrolment token"),
    fallback: null,
    description:
      "One-time enrolment token. Needed until the credential is stored in PALISADE_HOME.",
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
    description: "Address on which the edge listens for Java players.",
    programs: ["edge"],
  }),
  PALISADE_JAVA_PORT: setting({
    schema: port,
    fallback: "25565",
    description:
      "Port on which the edge listens for Java players, named in SRV records; 0 means any free one.",
    programs: ["edge", "api", "supervisor"],
  }),
  PALISADE_EDGE_METRICS_PORT: setting({
    schema: port,
    fallback: "9465",
    description:
      "Loopback port of the edge's /healthz, /readyz and /metrics; 0 means any free one.",
    programs: ["edge", "supervisor"],
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting({
    schema: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }),
    fallback: null,
    description:
      "The edge sends its metrics there by OTLP over HTTP; without /v1/metrics. Not set: they are not sent.",
    programs: ["edge"],
  }),
  PALISADE_OTLP_SHIELDS: setting({
    schema: z.enum(["on", "off"], "must be on or off"),
    fallback: "off",
    description:
      "on: the edge also sends players, connections and bandwidth of every busy shield by OTLP.",
    programs: ["edge"],
  }),
  PALISADE_EDGE_SHIELD_PLAYERS: setting({
    schema: wholeNumber(1, 1_000_000),
    fallback: "10000",
    description:
      "Players that one shield may have on this edge at once, if its plan says nothing. Those above are told to try again later.",
    programs: ["edge"],
  }),
  PALISADE_EDGE_SHIELD_HALF_OPEN: setting({
    schema: wholeNumber(16, 1_000_000),
    fallback: "6144",
    description:
      "Connections that one shield may have on this edge at once which have named it and have neither joined nor left, if its plan says nothing; at most three quarters of what the edge has room for. One more takes the place of the shield's oldest.",
    programs: ["edge"],
  }),
  PALISADE_EDGE_SHIELD_BANDWIDTH: setting({
    schema: wholeNumber(10_000, 1_000_000_000_000),
    fallback: "125000000",
    description:
      "Bytes a second, both ways together, that the players of one shield may use on this edge, if its plan says nothing. Above it they are slowed down; nothing is dropped.",
    programs: ["edge"],
  }),
  PALISADE_EDGE_WORKERS: setting({
    schema: z
      .string()
      .regex(/^(auto|[0-9]|1[0-6])$/, "must be auto or a number from 0 to 16")
      .transform((value) => (value === "auto" ? value : Number(value))),
    fallback: "auto",
    description:
      "Number of worker threads, each with a relay process for its admitted players. `auto`: one per core, at most 16. `0`: one worker thread, which relays its players itself: less memory, but a restart disconnects them.",
    programs: ["edge"],
  }),
  PALISADE_KERNEL: setting({
    schema: z.enum(["auto", "off"], "must be auto or off"),
    fallback: "auto",
    description:
      "`auto`: if the edge has the rights (CAP_NET_ADMIN and nft), an nftables table drops new connections of banned sources in the kernel. `off`: the edge itself refuses them.",
    programs: ["edge"],
  }),
  PALISADE_SESSION_SERVER_URL: setting({
    schema: urlPrefix,
    fallback: "https://sessionserver.mojang.com",
    description:
      "Session server that the edge asks about a player's account, for shields that require paid accounts. In production it must be https, or http on this machine, because an attacker in between could admit any player.",
    programs: ["edge"],
    refusedInProduction: refuseUnsafeUrl,
  }),
  PALISADE_BEDROCK_LOGIN_SERVICE_URL: setting({
    schema: urlPrefix,
    fallback: "https://authorization.franchise.minecraft-services.net",
    description:
      "OpenID service of the game whose keys sign the logins of Bedrock players from 1.21.90 on. The edge fetches them while a shield with Bedrock is on it. In production it must be https, or http on this machine.",
    programs: ["edge"],
    refusedInProduction: refuseUnsafeUrl,
  }),
  PALISADE_VPN_LISTS: setting({
    schema: list,
    fallback: "",
    description:
      "Files, or folders of files, with the addresses that anti-VPN refuses, comma separated (docs/operations/anti-vpn.md). Default: the folder `vpn` in PALISADE_HOME.",
    programs: ["edge"],
  }),
  PALISADE_ADDRESS_DATABASES: setting({
    schema: list,
    fallback: "",
    description:
      "Files in MaxMind's format (GeoLite2 Country or City, GeoLite2 ASN or their like), comma separated: analytics and logs show the countries and networks of players, and rules of owners go by them (docs/operations/address-databases.md). The api and the edges read them, and again when they change. Default: no address is known.",
    programs: ["api", "edge"],
  }),
  PALISADE_VPN_SOURCES: setting({
    schema: downloads,
    fallback: "",
    description:
      "`file=URL`, comma separated: `npm run vpn:update` downloads each URL into this file in the folder `vpn` of PALISADE_HOME.",
    programs: ["edge"],
    secret: true,
  }),
  PALISADE_DNS_HOST: setting({
    schema: z.string().min(1, "must be an address"),
    fallback: "127.0.0.1",
    description: "Address on which zone DNS listens.",
    programs: ["dns"],
  }),
  PALISADE_DNS_PORT: setting({
    schema: port,
    fallback: "5353",
    description: "UDP and TCP port of zone DNS; 0 means any free one.",
    programs: ["dns", "supervisor"],
  }),
  PALISADE_DNS_METRICS_PORT: setting({
    schema: port,
    fallback: "9466",
    description: "Loopback port of zone DNS's /metrics; 0 means any free one.",
    programs: ["dns", "supervisor"],
  }),
  PALISADE_DNS_ADDRESSES: setting({
    schema: addresses,
    fallback: "",
    description:
      "Public addresses of zone DNS, comma separated, for the zone's `ns1`. Default: the address it listens on.",
    programs: ["dns"],
  }),
  PALISADE_DNS_UPDATE_SERVER: setting({
    schema: hostAndPort,
    fallback: null,
    description:
      "`address:port` of the zone's primary server at another provider. Zone DNS exports the labels to it by DNS UPDATE over TCP. Needs PALISADE_DNS_UPDATE_KEY. Default: no export.",
    programs: ["dns"],
  }),
  PALISADE_DNS_UPDATE_KEY: setting({
    schema: tsigKey,
    fallback: null,
    description:
      "TSIG key (hmac-sha256) of the export, as `name:secret` with the secret in base64. The server must allow it to change A and AAAA records below the zone.",
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

/** One line per wrong setting with its name and the fix. Values are never printed, because they may be secret. */
export class SettingsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Settings are not usable:\n${problems.map((p) => `  ${p}`).join("\n")}`);
    this.name = "SettingsError";
    this.problems = problems;
  }
}

/** Secrets may be in a file, where a keeper of secrets puts them and no list of processes shows them. */
function fromFile(
  name: SettingName,
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): string | undefined {
  const file = environment[`${name}_FILE`];
  if (file === undefined || file === "") return undefined;
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch {
    problems.push(`${name}_FILE names no file that this program can read`);
    return undefined;
  }
}

/**
 * Reads the named settings. An empty variable counts as not set. A secret may also be the content of the
 * file that `<name>_FILE` names.
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
    const given = environment[name] || (definition.secret && fromFile(name, environment, problems));
    const isSet = given !== undefined && given !== false && given !== "";
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
  // Every name has either a checked value or is left out as undefined.
  return values as SettingValues<N>;
}
