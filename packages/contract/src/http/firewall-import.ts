import { z } from "zod";
import { entryEnd, entryNote, listEntriesMax, listTypes } from "./firewall-entry.ts";

/** Characters of an import: 10,000 of the longest entries, each with a note and an end. */
export const importCharactersMax = 3_500_000;

/** As JSON in UTF-8, with notes in any script. */
export const importBytesMax = 12 * 1024 * 1024;

/** Entries of an import that could not be read, as far as they are listed one by one. */
export const invalidShownMax = 100;

export const importModes = ["merge", "replace"] as const;

const typedEntry = z.string("entry.invalid").max(200, "entry.invalid");

/** An entry of an import with its note and end; what is left out stays as it is. */
const wholeEntry = z
  .object({ ip: typedEntry, note: entryNote.optional(), expires_at: entryEnd.optional() })
  .meta({ id: "FirewallImportEntry" });

export const importFirewallBody = z
  .object({
    type: z.enum(listTypes, "list_type.invalid"),
    mode: z
      .enum(importModes, "import_mode.invalid")
      .describe("`replace` takes away what the import does not name"),
    text: z
      .string("required")
      .max(importCharactersMax, "import.too_long")
      .optional()
      .describe(
        "One entry per line or between commas; `#`, `//` and `;` begin a comment, which is the note of " +
          "the entries before it on the line. CSV with a header (`entry`, `note`, `expires` and others), " +
          "JSON, and JSON in lines are read too: of a game server, of TCPShield, of published lists. " +
          "Names stand on lines without addresses",
      ),
    entries: z
      .array(z.union([typedEntry, wholeEntry], "entry.invalid"), "required")
      .max(2 * listEntriesMax, "error.list_full")
      .optional()
      .describe("In place of `text`"),
  })
  .refine(({ text, entries }) => (text === undefined) !== (entries === undefined), {
    path: ["text"],
    message: "required",
  })
  .meta({ id: "FirewallImport" });

export const firewallImport = z
  .object({
    added: z.int(),
    existing: z.int().describe("On the list already, or more than once in the import"),
    changed: z.int().describe("On the list already, now with another note or end"),
    removed: z.int().describe("Mode `replace` only"),
    skipped: z
      .int()
      .describe("Entries whose end has passed, and rules that say they belong to the other list"),
    invalid: z.int(),
    invalid_entries: z
      .array(z.object({ line: z.int(), text: z.string() }))
      .max(invalidShownMax)
      .describe("The first hundred, with the line they stand on"),
  })
  .meta({ id: "FirewallImportReport" });

export type FirewallImportReport = z.infer<typeof firewallImport>;
