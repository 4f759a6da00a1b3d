import { msg } from "@lingui/core/macro";
import type { LogEntry } from "@palisade/contract/http/logs";

/** Editions of Minecraft. */
export const editionLabels = {
  java: msg`Java`,
  bedrock: msg`Bedrock`,
} as const satisfies Record<LogEntry["edition"], unknown>;
