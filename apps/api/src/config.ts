import { isIP } from "node:net";
import path from "node:path";
import type { BackendPorts } from "@palisade/contract/backend-ports";
import { readSettings, SettingsError, type SettingValues } from "@palisade/settings/settings";
import type { BedrockPorts } from "#src/features/bedrock/bedrock-ports.service.ts";
import type { StaffWebhookConfig } from "#src/features/notifications/staff-webhook.service.ts";
import type { SupportMailConfig } from "#src/features/ticket-mail/inbound-config.ts";
import type { Seller } from "#src/features/vat/seller.ts";
import type { FilesConfig } from "#src/platform/files/file-store.ts";
import type { TlsConfig } from "#src/platform/http/tls/tls.ts";
import {
  paymentNames,
  readPaypal,
  readSeller,
  readStripe,
  type PaypalConfig,
  type StripeConfig,
} from "./config-payments.ts";
import { fileNames, readFiles } from "./config-files.ts";
import { readStaffWebhook, staffNames } from "./config-staff.ts";
import { readSupportMail, supportMailNames } from "./config-support-mail.ts";
import { loadDevelopmentSecret } from "#src/platform/development/development-secret.ts";

const names = [
  "PALISADE_ENV",
  "PALISADE_HOME",
  "PALISADE_LOG_LEVEL",
  "PALISADE_HTTP_HOST",
  "PALISADE_HTTP_PORT",
  "PALISADE_API_METRICS_PORT",
  "PALISADE_TLS",
  "PALISADE_HTTPS_PORT",
  "PALISADE_TLS_CERTIFICATE",
  "PALISADE_TLS_KEY",
  "PALISADE_ACME_URL",
  "PALISADE_ACME_EMAIL",
  "PALISADE_PUBLIC_URL",
  "PALISADE_TRUSTED_PROXIES",
  "DATABASE_URL",
  "PALISADE_SECRET",
  "PALISADE_FORMER_SECRETS",
  "SMTP_URL",
  "PALISADE_MAIL_FROM",
  ...supportMailNames,
  ...staffNames,
  ...fileNames,
  ...paymentNames,
  "PALISADE_DISCORD_INVITE",
  "PALISADE_SOURCE_URL",
  "PALISADE_ZONE",
  "PALISADE_DNS_RESOLVERS",
  "PALISADE_ZONE_SERVER",
  "PALISADE_JAVA_PORT",
  "PALISADE_PRIVATE_BACKENDS",
  "PALISADE_BACKEND_PORTS",
  "PALISADE_BACKEND_PORTS_REFUSED",
  "PALISADE_OTHER_PORTS",
  "PALISADE_BEDROCK_PORT",
  "PALISADE_BEDROCK_PORTS",
  "PALISADE_ADDRESS_DATABASES",
  "PALISADE_FAILPOINTS",
] as const;

/** Settings of the api, checked. Nothing else in the api reads the environment. */
export interface ApiConfig {
  readonly development: boolean;
  readonly home: string;
  readonly logLevel: string;
  readonly httpHost: string;
  readonly httpPort: number;
  readonly metricsPort: number;
  /** Undefined: the api itself does not encrypt. */
  readonly tls: TlsConfig | undefined;
  readonly httpsPort: number;
  /** Listening sockets that the program was started with; they outlive it (socket activation). */
  readonly inherited: { readonly http?: number; readonly https?: number };
  /** Undefined: the listening address. */
  readonly publicUrl: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly databaseUrl: string;
  readonly secret: string;
  readonly formerSecrets: readonly string[];
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Undefined: tickets are answered in the console alone. */
  readonly supportMail: SupportMailConfig | undefined;
  /** Tells staff what happens, beside mail. */
  readonly staffWebhook: StaffWebhookConfig | undefined;
  /** The folder or bucket for the files of tickets. */
  readonly files: FilesConfig;
  /** The address of clamd. Undefined: files are not scanned. */
  readonly clamd: SettingValues<"PALISADE_CLAMD">["PALISADE_CLAMD"];
  /** Undefined: PayPal takes no payments here. */
  readonly paypal: PaypalConfig | undefined;
  /** Orders of staff above it wait for a second staff member. */
  readonly fourEyesCents: number;
  /** Undefined: Stripe takes no payments here. */
  readonly stripe: StripeConfig | undefined;
  /** Undefined: there is no Discord to join. */
  readonly discordInviteUrl: string | undefined;
  /** Named in the terms and the privacy policy. */
  readonly operator: { readonly name: string; readonly address: string; readonly email: string };
  /** The operator on receipts and invoices. */
  readonly seller: Seller;
  /** The REST interface of VIES. */
  readonly viesUrl: string;
  /** Undefined: no link to the source code is shown. */
  readonly sourceUrl: string | undefined;
  readonly zone: string;
  /** None: the machine's. */
  readonly dnsResolvers: readonly string[];
  /** The address of zone DNS; undefined: the resolvers are asked. */
  readonly zoneServer: string | undefined;
  /** The port players connect to at the edges; 0 where the supervisor tells it later. */
  readonly javaPort: number;
  readonly privateBackends: readonly string[];
  readonly backendPorts: BackendPorts;
  /** The ports for groups of games other than Minecraft, both ends included. */
  readonly otherPorts: { readonly first: number; readonly last: number };
  /** The UDP ports of Bedrock. */
  readonly bedrockPorts: BedrockPorts;
  /** Files in MaxMind's format, with countries and networks. */
  readonly addressDatabases: readonly string[];
  readonly failpoints: readonly string[];
  readonly consoleFolder: string;
}

/** @throws SettingsError with one line per wrong setting */
export function readApiConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ApiConfig {
  const values = readSettings(environment, names);
  const problems = values.PALISADE_TRUSTED_PROXIES.filter((range) => !isAddressRange(range)).map(
    (range) => `PALISADE_TRUSTED_PROXIES: ${range} is no address or CIDR range`,
  );
  if (values.PALISADE_DNS_RESOLVERS.length > 3) {
    problems.push("PALISADE_DNS_RESOLVERS: at most 3 are asked");
  }
  for (const server of values.PALISADE_DNS_RESOLVERS) {
    if (!isServer(server))
      problems.push(`PALISADE_DNS_RESOLVERS: ${server} is no address or address:port`);
  }
  const { first, last } = values.PALISADE_BEDROCK_PORTS;
  if (values.PALISADE_BEDROCK_PORT >= first && values.PALISADE_BEDROCK_PORT <= last) {
    problems.push("PALISADE_BEDROCK_PORT must not be one of PALISADE_BEDROCK_PORTS");
  }
  if (values.PALISADE_ZONE_SERVER !== undefined && !isServer(values.PALISADE_ZONE_SERVER)) {
    problems.push("PALISADE_ZONE_SERVER must be an address or address:port");
  }
  if (values.DATABASE_URL === undefined) {
    problems.push(
      "DATABASE_URL must be set: `npm start` passes the embedded PostgreSQL's, the api alone needs one",
    );
  }
  const tls = tlsConfig(values, problems);
  const supportMail = readSupportMail(values, problems);
  const staffWebhook = readStaffWebhook(values, problems);
  const paypal = readPaypal(values, problems);
  const stripe = readStripe(values, problems);
  const seller = readSeller(values, problems);
  const home = path.resolve(values.PALISADE_HOME);
  const files = readFiles(values, home, problems);
  if (values.DATABASE_URL === undefined || problems.length > 0) throw new SettingsError(problems);
  return {
    development: values.PALISADE_ENV === "development",
    home,
    logLevel: values.PALISADE_LOG_LEVEL,
    httpHost: values.PALISADE_HTTP_HOST,
    httpPort: values.PALISADE_HTTP_PORT,
    metricsPort: values.PALISADE_API_METRICS_PORT,
    tls,
    httpsPort: values.PALISADE_HTTPS_PORT,
    inherited: inheritedSockets(environment),
    publicUrl: values.PALISADE_PUBLIC_URL,
    trustedProxies: values.PALISADE_TRUSTED_PROXIES,
    databaseUrl: values.DATABASE_URL,
    secret: values.PALISADE_SECRET ?? loadDevelopmentSecret(home),
    formerSecrets: values.PALISADE_FORMER_SECRETS,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.PALISADE_MAIL_FROM,
    supportMail,
    staffWebhook,
    files,
    clamd: values.PALISADE_CLAMD,
    paypal,
    fourEyesCents: values.PALISADE_FOUR_EYES_EUROS * 100,
    stripe,
    discordInviteUrl: values.PALISADE_DISCORD_INVITE,
    operator: {
      name: values.PALISADE_OPERATOR_NAME,
      address: values.PALISADE_OPERATOR_ADDRESS,
      email: values.PALISADE_OPERATOR_EMAIL,
    },
    seller,
    viesUrl: values.PALISADE_VIES_URL,
    sourceUrl: values.PALISADE_SOURCE_URL,
    zone: values.PALISADE_ZONE,
    dnsResolvers: values.PALISADE_DNS_RESOLVERS,
    zoneServer: values.PALISADE_ZONE_SERVER,
    javaPort: values.PALISADE_JAVA_PORT,
    privateBackends: values.PALISADE_PRIVATE_BACKENDS,
    backendPorts: {
      allowed: values.PALISADE_BACKEND_PORTS,
      refused: values.PALISADE_BACKEND_PORTS_REFUSED,
    },
    otherPorts: values.PALISADE_OTHER_PORTS,
    bedrockPorts: {
      standard: values.PALISADE_BEDROCK_PORT,
      pool: values.PALISADE_BEDROCK_PORTS,
    },
    addressDatabases: values.PALISADE_ADDRESS_DATABASES.map((file) => path.resolve(file)),
    failpoints: values.PALISADE_FAILPOINTS,
    consoleFolder: path.resolve(import.meta.dirname, "../../console/dist"),
  };
}

/** The two settings of `migrate`; no other command gets the owner's URL. */
export function readMigrationConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): { readonly ownerUrl: string; readonly runtimeUrl: string } {
  const values = readSettings(environment, ["DATABASE_URL", "DATABASE_MIGRATE_URL"]);
  const problems: string[] = [];
  if (values.DATABASE_URL === undefined) problems.push("DATABASE_URL must be set");
  if (values.DATABASE_MIGRATE_URL === undefined) {
    problems.push("DATABASE_MIGRATE_URL must be set: migrations run as the owner of the database");
  }
  if (values.DATABASE_URL === undefined || values.DATABASE_MIGRATE_URL === undefined) {
    throw new SettingsError(problems);
  }
  return { ownerUrl: values.DATABASE_MIGRATE_URL, runtimeUrl: values.DATABASE_URL };
}

/** Adds what is wrong to the problems. */
function tlsConfig(
  values: SettingValues<(typeof names)[number]>,
  problems: string[],
): TlsConfig | undefined {
  if (values.PALISADE_TLS === "off") return undefined;
  const publicUrl = values.PALISADE_PUBLIC_URL ?? "";
  if (!publicUrl.startsWith("https://")) {
    problems.push("PALISADE_PUBLIC_URL must be an https URL, because PALISADE_TLS is on");
    return undefined;
  }
  if (values.PALISADE_TLS === "files") {
    const { PALISADE_TLS_CERTIFICATE: certFile, PALISADE_TLS_KEY: keyFile } = values;
    if (certFile !== undefined && keyFile !== undefined)
      return { kind: "files", certFile, keyFile };
    problems.push(
      "PALISADE_TLS_CERTIFICATE and PALISADE_TLS_KEY must name files, because PALISADE_TLS is files",
    );
    return undefined;
  }
  const domain = new URL(publicUrl).hostname;
  if (isIP(domain.replace(/^\[|\]$/g, "")) !== 0 || !domain.includes(".")) {
    problems.push(
      "PALISADE_PUBLIC_URL must name a public domain, because PALISADE_TLS is acme: a CA issues no certificate for this host",
    );
  }
  const { PALISADE_ACME_URL: directoryUrl, PALISADE_ACME_EMAIL: email } = values;
  return { kind: "acme", directoryUrl, email, domain };
}

/** The first descriptor that systemd passes (sd_listen_fds). */
const firstInherited = 3;

/** Sockets are named by FileDescriptorName=, `http` or `https`; one without a name is `http`. */
function inheritedSockets(
  environment: Readonly<Record<string, string | undefined>>,
): ApiConfig["inherited"] {
  // Meant for another process, which has passed its environment on.
  if (environment["LISTEN_PID"] !== String(process.pid)) return {};
  const count = Number(environment["LISTEN_FDS"] ?? 0);
  const given = (environment["LISTEN_FDNAMES"] ?? "").split(":");
  const named = Array.from({ length: count }, (_, index) => [
    given[index] === "https" ? "https" : "http",
    firstInherited + index,
  ]);
  return Object.fromEntries(named) as ApiConfig["inherited"];
}

function isAddressRange(range: string): boolean {
  const [address = "", prefix] = range.split("/");
  const family = isIP(address);
  if (family === 0) return false;
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32))
  );
}

/** As node:dns takes them: `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1`, `[2001:db8::1]:53`. */
export function isServer(server: string): boolean {
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(server);
  const [address = "", port] =
    bracketed?.slice(1) ?? (isIP(server) === 6 ? [server] : server.split(":"));
  const family = isIP(address);
  const isPort = port === undefined || (/^\d{1,5}$/.test(port) && Number(port) <= 65_535);
  return isPort && family === (bracketed === null ? (isIP(server) === 6 ? 6 : 4) : 6);
}
