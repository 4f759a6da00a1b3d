import {
  zoneEdges,
  zoneRecord,
  type ZoneEdges,
  type ZoneRecord,
} from "@palisade/contract/edge/zone-record";
import { createConfigClient, createControlClient } from "@palisade/control-client/config-client";
import { parseBy, parseRecord } from "@palisade/control-client/config-consumer";
import { keepCredential, reloadCredential } from "@palisade/control-client/credential-renewal";
import { ensureCredential } from "@palisade/control-client/enrol";
import type { Log } from "@palisade/control-client/log";
import type { DnsConfig } from "#src/config.ts";
import dnsPackage from "../../package.json" with { type: "json" };
import type { ZoneTable } from "#src/zone/zone-table.ts";

export interface ZoneControlStats {
  /** Since the control plane confirmed that the zone is its newest; since the start until it has. */
  readonly ageSeconds: number;
  /** Records of this zone that could not be read. */
  readonly refused: number;
}

export interface ZoneControl {
  /** Fills the table from the last good copy on disk. */
  load(): Promise<{ readonly shields: number }>;
  /**
   * Follows the control plane from now on.
   *
   * @throws EnrolmentError when there is no credential
   */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether the table holds every shield, so that a missing one has been removed. */
  isComplete(): boolean;
  stats(): ZoneControlStats;
  /** Resolves when the table has the newest version of the control plane. */
  readonly synchronised: Promise<void>;
}

/** Keeps the zone up to date with the control plane. */
export function createZoneControl(config: DnsConfig, table: ZoneTable, log: Log): ZoneControl {
  const ending = new AbortController();
  const path = `${config.folder}/credential.json`;
  const startedMs = performance.now();
  let isWhole = false;
  const client = createConfigClient<ZoneRecord, ZoneEdges>({
    apiUrl: config.apiUrl,
    programVersion: dnsPackage.version,
    folder: `${config.folder}/config`,
    log,
    onRefused: (credential) => reloadCredential(path, credential),
    consumer: {
      parse: (record) => parseRecord(zoneRecord, record),
      apply: (record) => table.setShield(record),
      remove: (shieldId) => table.removeShield(shieldId),
      zone: {
        parse: (zone) => parseBy(zoneEdges, zone),
        apply: (edges) => table.setEdges(edges),
      },
    },
  });
  const synchronised = client.synchronised.then(() => {
    isWhole = true;
  });
  return {
    async load() {
      const loaded = await client.load();
      // Version 0 means that the copy is incomplete.
      isWhole = loaded.version > 0;
      return loaded;
    },
    // A refused record may belong to a shield that the table never had.
    isComplete: () => isWhole && client.stats().refused === 0,
    stats() {
      const { refused, confirmed_at_ms } = client.stats();
      return { refused, ageSeconds: (performance.now() - (confirmed_at_ms ?? startedMs)) / 1_000 };
    },
    synchronised,
    async start() {
      const credential = await ensureCredential({
        path,
        apiUrl: config.apiUrl,
        token: config.token,
        kind: "dns",
        addresses: [],
        log,
        signal: ending.signal,
      });
      if (ending.signal.aborted) return;
      client.start(credential);
      const call = createControlClient(config.apiUrl, credential);
      void keepCredential({ path, credential, call, log, signal: ending.signal });
    },
    async stop() {
      ending.abort();
      await client.stop();
    },
  };
}
