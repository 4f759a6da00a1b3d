import { AnswerCounts } from "#src/metrics/answer-counts.ts";
import { rcode } from "#src/wire/rcode.ts";
import { readQuery } from "#src/wire/query.ts";
import {
  encodeError,
  encodeReply,
  encodeTruncated,
  type Resolution,
  type Transport,
} from "#src/wire/reply.ts";
import { resolve } from "#src/zone/resolve.ts";
import type { ZoneTable } from "#src/zone/zone-table.ts";

export interface Responder {
  /**
   * The answer to a message, or null for none. Never throws.
   *
   * @param slip answer any question only with 'ask again over TCP'
   */
  respond(message: Buffer, transport: Transport, slip?: boolean): Buffer | null;
}

const badVersion: Resolution = {
  rcode: rcode.badVersion,
  authoritative: false,
  answers: [],
  authorities: [],
};

export function createResponder(
  table: ZoneTable,
  ownAddresses: readonly string[],
  counts = new AnswerCounts(),
): Responder {
  let turn = 0;
  return {
    respond(message, transport, slip = false) {
      const read = readQuery(message);
      if (read.kind === "ignore" || (read.kind === "error" && slip)) {
        counts.countIgnored();
        return null;
      }
      if (read.kind === "error") {
        counts.countAnswer(undefined, read.rcode);
        return encodeError(read.id, read.rcode);
      }
      const { query } = read;
      const { type } = query.question;
      if (query.edns !== null && query.edns.version !== 0) {
        counts.countAnswer(type, rcode.badVersion);
        return encodeReply(query, badVersion, transport);
      }
      turn = (turn + 1) % 0x40000000;
      const resolution = resolve(query.question, { table, ownAddresses, turn });
      counts.countAnswer(type, resolution.rcode);
      return slip ? encodeTruncated(query, resolution) : encodeReply(query, resolution, transport);
    },
  };
}
