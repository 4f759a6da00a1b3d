import {
  zoneEdges,
  zoneRecord,
  type ZoneEdges,
  type ZoneRecord,
} from "@palisade/contract/edge/zone-record";
import { createConfigClient } from "@palisade/control-client/config-client";
import { parseBy, parseRecord } from "@palisade/control-client/config-consumer";
import { ensureCredential } from "@palisade/control-client/enrol";
import type { Log } from "@palisade/control-client/log";
import type { DnsConfig } from "#src/config.ts";
import type { ZoneTable } from "#src/zone/zone-table.ts";

export interface ZoneControl {
  /** Fills the table from the last good copy on disk. */
  load(): Promise<{ readonly shields: number }>;
  /**
   * Follows the control plane from now on.
   *
   * @throws EnrolmentError where there is no credential to do so with
   */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether every shield is in the table: what is not there has been removed. */
  isComplete(): boolean;
  /** Resolves once the table is what the control plane last had. */
  readonly synchronised: Promise<void>;
}

/** Keeps the zone abreast of the control plane. */
export function createZoneControl(config: DnsConfig, table: ZoneTable, log: Log): ZoneControl {
  const ending = new AbortController();
  let isWhole = false;
  const client = createConfigClient<ZoneRecord, ZoneEdges>({
    apiUrl: config.apiUrl,
    folder: `${config.folder}/config`,
    log,
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
      // Version 0 is a copy that lacks something.
      isWhole = loaded.version > 0;
      return loaded;
    },
    // The shield of a refused record may be one that the table never had.
    isComplete: () => isWhole && client.stats().refused === 0,
    synchronised,
    async start() {
      const credential = await ensureCredential({
        path: `${config.folder}/credential.json`,
        apiUrl: config.apiUrl,
        token: config.token,
        kind: "dns",
        addresses: [],
        log,
        signal: ending.signal,
      });
      if (!ending.signal.aborted) client.start(credential);
    },
    async stop() {
      ending.abort();
      await client.stop();
    },
  };
}
