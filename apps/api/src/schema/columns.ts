import type { ColumnType, Generated } from "kysely";

/** timestamptz: read as Date, written as Date. */
export type Timestamp = ColumnType<Date, Date, Date>;
/** bigint: the driver reads it as text, because it may exceed 2^53. */
export type BigIntText = ColumnType<string, string | number | bigint, string | number | bigint>;
export type { Generated };
