/**
 * Protocol versions from which the first packets of Bedrock differ. Source: protocol tables of
 * minecraft-data 3 (`data/bedrock`).
 */

/** 1.19.30: the client first asks for the settings of the network, among them the compression. */
export const settingsFirst = 554;
/** 1.20.40: a disconnect has a reason. */
export const reasonFirst = 622;
/** 1.20.60: a batch names its compression. */
const namedCompressionFirst = 649;
/** 1.21.20: a disconnect has a second text, without profanity. */
export const filteredMessageFirst = 712;

/**
 * Whether a batch names its compression, once that is agreed; earlier clients use deflate.
 *
 * @param protocol undefined: a client from before 1.19.30, or before its first packet
 */
export function compressionOf(protocol: number | undefined): "named" | "unnamed" {
  return protocol !== undefined && protocol >= namedCompressionFirst ? "named" : "unnamed";
}

/**
 * Real clients of these versions and of some between them are tested. Others are passed on as well. Source:
 * minecraft-data (`data/bedrock/common/protocolVersions.json`).
 */
export const gameVersions = {
  oldest: { protocol: 589, name: "1.20.0" },
  newest: { protocol: 2169, name: "1.26.45" },
} as const;

/** How a version stands to `gameVersions`. Unlike in Java, its number grows with each release. */
export function judgeGameVersion(protocol: number): "known" | "old" | "newer" {
  if (protocol < gameVersions.oldest.protocol) return "old";
  return protocol > gameVersions.newest.protocol ? "newer" : "known";
}
