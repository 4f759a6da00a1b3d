import { streamLine, type StreamLine } from "@palisade/contract/edge/stream";
import { z } from "zod";
import type { RawLine } from "./line-reader.ts";

/**
 * A parsed line.
 *
 * - `skipped`: a shield's line that is not valid; `shield` names the shield if it can be read
 * - `broken`: a line after which the order of the stream cannot be trusted
 * - `unknown`: a line of a newer control plane, safe to ignore
 */
export type ParsedLine =
  | StreamLine
  | {
      readonly kind: "skipped";
      readonly reason: string;
      readonly shield: { readonly shield_id: string; readonly revision: number } | null;
    }
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "unknown" };

const knownKinds: ReadonlySet<string> = new Set(
  streamLine.options.map((option) => option.shape.kind.value),
);
const anyKind = z.object({ kind: z.string() });
const uuid = z.uuid();

/** Parses a line by the contract. Never throws. */
export function parseLine(raw: RawLine): ParsedLine {
  if (raw.kind === "oversized") {
    return raw.prefix.includes('"kind":"shield"')
      ? { kind: "skipped", reason: "the line exceeds the cap", shield: ownerOf(raw.prefix) }
      : { kind: "broken", reason: "the line exceeds the cap" };
  }
  let value: unknown;
  try {
    value = JSON.parse(raw.text);
  } catch {
    return { kind: "broken", reason: "the line is not JSON" };
  }
  const line = streamLine.safeParse(value);
  if (line.success) return line.data;
  const kind = anyKind.safeParse(value);
  // A malformed line that carries no configuration does no harm.
  const isAside = kind.success && ["probe", "fleet"].includes(kind.data.kind);
  if (kind.success && (isAside || !knownKinds.has(kind.data.kind))) {
    return { kind: "unknown" };
  }
  const reason = describeIssue(line.error);
  return kind.success && kind.data.kind === "shield"
    ? { kind: "skipped", reason, shield: ownerOf(raw.text.slice(0, 1024)) }
    : { kind: "broken", reason };
}

/** Best effort on text that is not valid JSON: the api writes id and revision first. */
function ownerOf(prefix: string): { shield_id: string; revision: number } | null {
  const id = /"shield_id":"([^"]{36})"/.exec(prefix)?.[1];
  const revision = Number(/"revision":(\d{1,15})\b/.exec(prefix)?.[1]);
  if (!uuid.safeParse(id).success || id === undefined || !(revision >= 1)) return null;
  return { shield_id: id, revision };
}

/** The first issue with its path, short enough for an acknowledgement. */
export function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return "not valid";
  const path = issue.path.map(String).join(".");
  return `${path === "" ? "" : `${path}: `}${issue.message}`.slice(0, 400);
}
