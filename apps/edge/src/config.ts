import { availableParallelism, networkInterfaces } from "node:os";
import { join, resolve } from "node:path";
import type { BackendPorts } from "@palisade/contract/backend-ports";
import { readSettings } from "@palisade/settings/settings";
import type { EdgeLimits } from "./admission/limits.ts";
import { isSuccessor } from "./hot-restart/command-messages.ts";

export interface EdgeConfig {
  readonly home: string;
  readonly isDevelopment: boolean;
  readonly logLevel: string;
  readonly apiUrl: string;
  readonly edgeToken: string | undefined;
  /** Addresses on which players reach this edge. */
  readonly addresses: readonly string[];
  /** Addresses of this machine's interfaces. */
  readonly interfaceAddresses: readonly string[];
  readonly privateBackends: readonly string[];
  readonly backendPorts: BackendPorts;
  /** Proxies whose PROXY headers are trusted. */
  readonly trustedProxies: readonly string[];
  readonly failpoints: readonly string[];
  readonly java: { readonly host: string; readonly port: number };
  readonly metricsPort: number;
  readonly sessionServerUrl: string;
  readonly bedrockLoginServiceUrl: string;
  /** Files, and folders with files, of the networks that anti-VPN refuses. */
  readonly vpnLists: readonly string[];
  /** Files in MaxMind's format with the countries and networks of addresses. */
  readonly addressDatabases: readonly string[];
  /** The receiver of metrics by OTLP; undefined: they are not sent. */
  readonly otlp: { readonly endpoint: string | undefined; readonly withShields: boolean };
  /** Whether the kernel drops banned sources, if that is permitted. */
  readonly kernel: "auto" | "off";
  /** Threads that take players, one at least. */
  readonly workers: number;
  /** Whether players outlive this program; otherwise the threads relay themselves. */
  readonly hasRelayProcesses: boolean;
  /** For shields whose plans say nothing. */
  readonly shieldShares: Pick<
    EdgeLimits,
    "playersPerShieldMax" | "halfOpenPerShieldMax" | "bytesPerSecondPerShield"
  >;
  /** Started by a hot restart: the predecessor takes players until this edge is ready. */
  readonly isSuccessor: boolean;
  /** Descriptor whose other end the supervisor holds as long as it lives. */
  readonly lifeline: number | undefined;
}

/** One more thread costs some 30 MB, and its relay process 14 MB. */
const workersMax = 16;
/** Behind the standard streams and the supervisor's channel. */
const lifelineDescriptor = 4;

/** @throws SettingsError naming every setting that is wrong */
export function readConfig(): EdgeConfig {
  const settings = readSettings(process.env, [
    "PALISADE_ENV",
    "PALISADE_HOME",
    "PALISADE_LOG_LEVEL",
    "PALISADE_API_URL",
    "PALISADE_EDGE_TOKEN",
    "PALISADE_EDGE_ADDRESSES",
    "PALISADE_PRIVATE_BACKENDS",
    "PALISADE_BACKEND_PORTS",
    "PALISADE_BACKEND_PORTS_REFUSED",
    "PALISADE_PROXY_TRUSTED",
    "PALISADE_FAILPOINTS",
    "PALISADE_JAVA_HOST",
    "PALISADE_JAVA_PORT",
    "PALISADE_EDGE_METRICS_PORT",
    "PALISADE_SESSION_SERVER_URL",
    "PALISADE_BEDROCK_LOGIN_SERVICE_URL",
    "PALISADE_VPN_LISTS",
    "PALISADE_ADDRESS_DATABASES",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "PALISADE_OTLP_SHIELDS",
    "PALISADE_KERNEL",
    "PALISADE_EDGE_WORKERS",
    "PALISADE_EDGE_SHIELD_PLAYERS",
    "PALISADE_EDGE_SHIELD_HALF_OPEN",
    "PALISADE_EDGE_SHIELD_BANDWIDTH",
  ]);
  return {
    home: resolve(settings.PALISADE_HOME),
    isDevelopment: settings.PALISADE_ENV === "development",
    logLevel: settings.PALISADE_LOG_LEVEL,
    apiUrl: settings.PALISADE_API_URL,
    edgeToken: settings.PALISADE_EDGE_TOKEN,
    addresses: settings.PALISADE_EDGE_ADDRESSES,
    interfaceAddresses: Object.values(networkInterfaces()).flatMap((addresses) =>
      (addresses ?? []).map(({ address }) => address),
    ),
    privateBackends: settings.PALISADE_PRIVATE_BACKENDS,
    backendPorts: {
      allowed: settings.PALISADE_BACKEND_PORTS,
      refused: settings.PALISADE_BACKEND_PORTS_REFUSED,
    },
    trustedProxies: settings.PALISADE_PROXY_TRUSTED,
    failpoints: settings.PALISADE_FAILPOINTS,
    java: { host: settings.PALISADE_JAVA_HOST, port: settings.PALISADE_JAVA_PORT },
    metricsPort: settings.PALISADE_EDGE_METRICS_PORT,
    sessionServerUrl: settings.PALISADE_SESSION_SERVER_URL,
    bedrockLoginServiceUrl: settings.PALISADE_BEDROCK_LOGIN_SERVICE_URL,
    vpnLists:
      settings.PALISADE_VPN_LISTS.length > 0
        ? settings.PALISADE_VPN_LISTS.map((place) => resolve(place))
        : [vpnFolder(settings.PALISADE_HOME)],
    addressDatabases: settings.PALISADE_ADDRESS_DATABASES.map((path) => resolve(path)),
    otlp: {
      endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
      withShields: settings.PALISADE_OTLP_SHIELDS === "on",
    },
    kernel: settings.PALISADE_KERNEL,
    workers:
      settings.PALISADE_EDGE_WORKERS === "auto"
        ? Math.min(workersMax, availableParallelism())
        : Math.max(1, settings.PALISADE_EDGE_WORKERS),
    hasRelayProcesses: settings.PALISADE_EDGE_WORKERS !== 0,
    shieldShares: {
      playersPerShieldMax: settings.PALISADE_EDGE_SHIELD_PLAYERS,
      halfOpenPerShieldMax: settings.PALISADE_EDGE_SHIELD_HALF_OPEN,
      bytesPerSecondPerShield: settings.PALISADE_EDGE_SHIELD_BANDWIDTH,
    },
    isSuccessor: isSuccessor(process.argv),
    lifeline: process.argv.includes("--lifeline") ? lifelineDescriptor : undefined,
  };
}

export interface VpnUpdateConfig {
  /** Folder of downloaded lists. */
  readonly folder: string;
  readonly sources: readonly { readonly file: string; readonly url: string }[];
}

/** @throws SettingsError naming every setting that is wrong */
export function readVpnUpdateConfig(): VpnUpdateConfig {
  const settings = readSettings(process.env, ["PALISADE_HOME", "PALISADE_VPN_SOURCES"]);
  return { folder: vpnFolder(settings.PALISADE_HOME), sources: settings.PALISADE_VPN_SOURCES };
}

function vpnFolder(home: string): string {
  return join(resolve(home), "vpn");
}
