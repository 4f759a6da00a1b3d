import { z } from "zod";
import { timestamp } from "./fields.ts";
import { tidyLine } from "./tidy-line.ts";

/** Entries a list may hold, addresses and names together; those whose end has passed do not count. */
export const listEntriesMax = 10_000;

export const listTypes = ["blacklist", "whitelist"] as const;
export type ListType = (typeof listTypes)[number];

export const entryNoteMax = 200;

const entryYearsMax = 10;

/** Whether an end is so far away that it must be a mistake. */
export function isFarEnd(endMs: number, nowMs: number): boolean {
  const last = new Date(nowMs);
  return endMs > last.setUTCFullYear(last.getUTCFullYear() + entryYearsMax);
}

/** An entry whose end has passed is still shown for so long. */
export const endedShownMs = 86_400_000;

export const entryNote = z
  .string("invalid")
  .overwrite(tidyLine)
  .max(entryNoteMax, "entry_note.max")
  .describe("The owner's own words about the entry; players do not see them");

/** The api checks it by its own clock. */
export const entryEnd = z.iso
  .datetime({ error: "entry_end.invalid", offset: true })
  .nullable()
  .describe("From then on the entry does nothing; null: it has no end");

export const entryDetails = {
  note: z.string().describe("The owner's own words; empty for none"),
  expires_at: timestamp
    .nullable()
    .describe(
      "From then on the entry does nothing; it is shown for another day. Null: it has no end",
    ),
};
