import path from "node:path";
import { readSettings, type SettingName } from "@palisade/settings/settings";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface PortSetting {
  readonly name: SettingName;
  readonly host: string;
  readonly port: number;
  readonly protocols: readonly ("tcp" | "udp")[];
  /** Nobody dials it by heart: where it is busy and nobody chose it, any free one will do. */
  readonly mayMove: boolean;
}

export interface SupervisorConfig {
  /** Absolute. */
  readonly home: string;
  /** What the children inherit. */
  readonly environment: Environment;
  /** An outside PostgreSQL; the embedded one when undefined. */
  readonly database: { readonly url: string; readonly migrateUrl: string | undefined } | undefined;
  readonly ports: Readonly<Record<"http" | "java" | "metrics" | "dns", PortSetting>>;
  /** Where the edge finds the api when it is run alone; undefined when not set. */
  readonly apiUrl: string | undefined;
}

const NAMES = [
  "PALISADE_HOME",
  "DATABASE_URL",
  "DATABASE_MIGRATE_URL",
  "PALISADE_HTTP_HOST",
  "PALISADE_HTTP_PORT",
  "PALISADE_JAVA_HOST",
  "PALISADE_JAVA_PORT",
  "PALISADE_EDGE_METRICS_PORT",
  "PALISADE_DNS_HOST",
  "PALISADE_DNS_PORT",
] as const;

/**
 * Reads the supervisor's settings. A relative PALISADE_HOME is below the folder of the checkout,
 * wherever the command was given.
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
    },
  };
}
