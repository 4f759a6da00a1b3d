import { createHash } from "node:crypto";
import { isIP } from "node:net";
import type { Logger } from "#src/ports.ts";
import { NftTable } from "./nft-table.ts";

export interface KernelTableOptions {
  readonly mode: "auto" | "off";
  /** Folder of this edge's state: another edge of the machine has another, and another table. */
  readonly home: string;
  /** The address the edge listens on. */
  readonly host: string;
  readonly trustedProxies: readonly string[];
  readonly log: Logger;
}

/**
 * Creates the edge's table in the kernel if that is wanted and possible; logs once that it works,
 * or why it does not.
 */
export async function openKernelTable(options: KernelTableOptions): Promise<NftTable | undefined> {
  const { mode, home, host, trustedProxies, log } = options;
  if (mode === "off") return undefined;
  const name = tableName(home);
  const isOneAddress = isIP(host) !== 0 && host !== "0.0.0.0" && host !== "::";
  const result = await NftTable.create({
    name,
    host: isOneAddress ? host : undefined,
    never: trustedProxies,
  });
  if (result.ok) {
    log.info({ table: name }, "the kernel drops new connections of banned sources");
    return result.table;
  }
  log.info({ reason: result.reason }, "no help from the kernel: banned sources are refused here");
  return undefined;
}

function tableName(home: string): string {
  return `palisade_${createHash("sha256").update(home).digest("hex").slice(0, 12)}`;
}
