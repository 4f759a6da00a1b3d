import type { StreamRecord } from "@palisade/contract/edge/stream";
import type { z } from "zod";
import { describeIssue } from "./stream-line-parser.ts";

/** Receives configuration: the running edge, or zone DNS. */
export interface ConfigConsumer<T, Z = never> {
  /**
   * Checks one record. When it throws, the record is refused with the error's message as the reason,
   * and the shield's last good configuration keeps serving.
   */
  parse(record: StreamRecord): T;
  /** Applies a checked record completely or not at all; it replaces the shield's previous one. */
  apply(checked: T): void;
  remove(shieldId: string): void;
  /** Resolves when everything applied so far serves on all threads, or at a deadline. Never rejects. */
  readonly served?: () => Promise<void>;
  /** Zone DNS only. */
  readonly zone?: { parse(zone: unknown): Z; apply(checked: Z): void };
}

/** Parses by a schema; the error's message is the first issue. */
export function parseBy<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Error(describeIssue(result.error));
}

/**
 * Parses a record's configuration by a schema and checks that shield and revision are the record's.
 *
 * @example
 * parse: (record) => parseRecord(shieldConfig, record)
 */
export function parseRecord<
  S extends z.ZodType<{ readonly shield_id: string; readonly revision: number }>,
>(schema: S, record: StreamRecord): z.output<S> {
  const config = parseBy(schema, record.config);
  if (config.shield_id !== record.shield_id || config.revision !== record.revision) {
    throw new Error("configuration does not belong to the record it came in");
  }
  return config;
}
