import type { LoginEntry } from "@palisade/contract/edge/telemetry";

/** A login as an edge reports it: Notch has joined. */
export function loginEntry(
  of: Pick<LoginEntry, "at" | "shield_id"> & Partial<LoginEntry>,
): LoginEntry {
  return {
    trace: "7K3M9QXW",
    verdict: "joined",
    shadow: false,
    ip: "203.0.113.7",
    player: "Notch",
    protocol: 765,
    host: "",
    facts: {},
    ...of,
  };
}
