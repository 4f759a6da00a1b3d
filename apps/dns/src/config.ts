import { readSettings, SettingsError } from "@palisade/settings/settings";

/** The zone's primary at another provider, to which labels are exported. */
export interface ExportTarget {
  readonly server: { readonly host: string; readonly port: number };
  /** TSIG key; the secret is base64 and must not be logged. */
  readonly key: { readonly name: string; readonly secret: string };
}

export interface DnsConfig {
  /** Folder with this program's credential and last good copy. */
  readonly folder: string;
  readonly logLevel: string;
  readonly apiUrl: string;
  readonly token: string | undefined;
  /** Zone to serve until the control plane has named one. */
  readonly zone: string;
  readonly host: string;
  readonly port: number;
  /** Addresses at which resolvers reach this server; when empty, the one it listens on. */
  readonly addresses: readonly string[];
  /** Loopback port of /metrics; 0: any free one. */
  readonly metricsPort: number;
  /** Undefined: no export. */
  readonly exportTo?: ExportTarget;
}

/** The settings of zone DNS; only this function reads the environment. */
export function readConfig(): DnsConfig {
  const settings = readSettings(process.env, [
    "PALISADE_ENV",
    "PALISADE_HOME",
    "PALISADE_LOG_LEVEL",
    "PALISADE_API_URL",
    "PALISADE_EDGE_TOKEN",
    "PALISADE_ZONE",
    "PALISADE_DNS_HOST",
    "PALISADE_DNS_PORT",
    "PALISADE_DNS_METRICS_PORT",
    "PALISADE_DNS_ADDRESSES",
    "PALISADE_DNS_UPDATE_SERVER",
    "PALISADE_DNS_UPDATE_KEY",
  ]);
  const server = settings.PALISADE_DNS_UPDATE_SERVER;
  const key = settings.PALISADE_DNS_UPDATE_KEY;
  if ((server === undefined) !== (key === undefined)) {
    const missing = server === undefined ? "SERVER" : "KEY";
    const given = server === undefined ? "KEY" : "SERVER";
    throw new SettingsError([
      `PALISADE_DNS_UPDATE_${missing} must be set too, because PALISADE_DNS_UPDATE_${given} is set`,
    ]);
  }
  return {
    folder: `${settings.PALISADE_HOME}/dns`,
    logLevel: settings.PALISADE_LOG_LEVEL,
    apiUrl: settings.PALISADE_API_URL,
    token: settings.PALISADE_EDGE_TOKEN,
    zone: settings.PALISADE_ZONE,
    host: settings.PALISADE_DNS_HOST,
    port: settings.PALISADE_DNS_PORT,
    addresses: settings.PALISADE_DNS_ADDRESSES,
    metricsPort: settings.PALISADE_DNS_METRICS_PORT,
    ...(server === undefined || key === undefined ? {} : { exportTo: { server, key } }),
  };
}
