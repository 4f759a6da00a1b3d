import path from "node:path";
import { readSettings, type SettingName } from "@palisade/settings/settings";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface PortSetting {
  readonly name: SettingName;
  readonly host: string;
  readonly port: number;
  readonly protocols: readonly ("tcp" | "udp")[];
  /** People do not type this port, and the operator did not choose it: when it is busy, any free one will do. */
  readonly mayMove: boolean;
}

export interface SupervisorConfig {
  /** Absolute path. */
  readonly home: string;
  /** Inherited by the children. */
  readonly environment: Environment;
  /** An external PostgreSQL; undefined for the embedded one. */
  readonly database: { readonly url: string; readonly migrateUrl: string | undefined } | undefined;
  readonly ports: Readonly<
    Record<"http" | "apiMetrics" | "java" | "metrics" | "dns" | "dnsMetrics", PortSetting>
  >;
  /** URL of the api for an edge that runs alone; undefined when it is not set. */
  readonly apiUrl: string | undefined;
}

const NAMES = [
  "PALISADE_HOME",
  "DATABASE_URL",
  "DATABASE_MIGRATE_URL",
  "PALISADE_HTTP_HOST",
  "PALISADE_HTTP_PORT",
  "PALISADE_API_METRICS_PORT",
  "PALISADE_JAVA_HOST",
  "PALISADE_JAVA_PORT",
  "PALISADE_EDGE_METRICS_PORT",
  "PALISADE_DNS_HOST",
  "PALISADE_DNS_PORT",
  "PALISADE_DNS_METRICS_PORT",
] as const;

/**
 * Reads the supervisor's settings. A relative PALISADE_HOME is below the folder of the checkout, not
 * of the working directory.
 *
 * @throws SettingsError naming every wrong setting
 */
export function readConfig(environment: Environment, checkout: string): SupervisorConfig {
  const values = readSettings(environment, NAMES);
  const isGiven = (name: SettingName): boolean => Boolean(environment[name]);
  const url = values.DATABASE_URL;
  return {
    home: path.resolve(checkout, values.PALISADE_HOME),
    environment,
    database: url === undefined ? undefined : { url, migrateUrl: values.DATABASE_MIGRATE_URL },
    apiUrl: isGiven("PALISADE_API_URL") ? environment["PALISADE_API_URL"] : undefined,
    ports: {
      http: {
        name: "PALISADE_HTTP_PORT",
        host: values.PALISADE_HTTP_HOST,
        port: values.PALISADE_HTTP_PORT,
        protocols: ["tcp"],
        mayMove: false,
      },
      apiMetrics: {
        name: "PALISADE_API_METRICS_PORT",
        host: "127.0.0.1",
        port: values.PALISADE_API_METRICS_PORT,
        protocols: ["tcp"],
        mayMove: !isGiven("PALISADE_API_METRICS_PORT"),
      },
      java: {
        name: "PALISADE_JAVA_PORT",
        host: values.PALISADE_JAVA_HOST,
        port: values.PALISADE_JAVA_PORT,
        protocols: ["tcp"],
        mayMove: false,
      },
      metrics: {
        name: "PALISADE_EDGE_METRICS_PORT",
        host: "127.0.0.1",
        port: values.PALISADE_EDGE_METRICS_PORT,
        protocols: ["tcp"],
        mayMove: !isGiven("PALISADE_EDGE_METRICS_PORT"),
      },
      dns: {
        name: "PALISADE_DNS_PORT",
        host: values.PALISADE_DNS_HOST,
        port: values.PALISADE_DNS_PORT,
        protocols: ["udp", "tcp"],
        mayMove: !isGiven("PALISADE_DNS_PORT"),
      },
      dnsMetrics: {
        name: "PALISADE_DNS_METRICS_PORT",
        host: "127.0.0.1",
        port: values.PALISADE_DNS_METRICS_PORT,
        protocols: ["tcp"],
        mayMove: !isGiven("PALISADE_DNS_METRICS_PORT"),
      },
    },
  };
}
