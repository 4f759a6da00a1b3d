import type { StreamRecord } from "@palisade/contract/edge/stream";
import type { z } from "zod";
import { describeIssue } from "./stream-line-parser.ts";

/** Where configuration goes: the running edge, or the running zone. */
export interface ConfigConsumer<T, Z = never> {
  /**
   * Checks a record by itself. Throwing refuses it, with the error's message as the reason;
   * the shield's last good configuration then stays in service.
   */
  parse(record: StreamRecord): T;
  /** Takes a checked record into service, replacing the shield's previous one, all or nothing. */
  apply(checked: T): void;
  remove(shieldId: string): void;
  /** Resolves, never rejects, once what was applied so far serves everywhere; it has a deadline. */
  readonly served?: () => Promise<void>;
  /** Zone DNS only. */
  readonly zone?: { parse(zone: unknown): Z; apply(checked: Z): void };
}

/** Parses by a schema, with the first complaint as the error's message. */
export function parseBy<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Error(describeIssue(result.error));
}

/**
 * Parses a record's configuration by a schema and holds it to the record's envelope.
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
