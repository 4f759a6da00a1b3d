import type { Refusal, UpdateOutcome } from "#src/export/update-outcome.ts";

export interface FailureContext {
  readonly zone: string;
  /** `address:port`. */
  readonly server: string;
  readonly keyName: string;
}

/** Explains a failure of the export and names the setting to check, never the secret. Pure. */
export function describeFailure(
  outcome: Exclude<UpdateOutcome, { kind: "done" }>,
  context: FailureContext,
): string {
  const { zone, server } = context;
  switch (outcome.kind) {
    case "unreachable":
      return `${server} cannot be reached for updates of ${zone} (${outcome.reason}): check PALISADE_DNS_UPDATE_SERVER, and that TCP to it is open`;
    case "untrusted":
      return `the answer of ${server} ${outcome.reason}: check PALISADE_DNS_UPDATE_SERVER, and the secret in PALISADE_DNS_UPDATE_KEY`;
    case "refused": {
      if (outcome.refusal === "other") {
        return `${server} refuses updates of ${zone} with code ${outcome.rcode}: see its log`;
      }
      const ahead = outcome.clockAheadSeconds;
      const by = ahead === null ? "" : ` by ${Math.abs(ahead)} s`;
      return `${outcome.refusal}: ${words[outcome.refusal](context, by)}`;
    }
  }
}

const words: Readonly<
  Record<Exclude<Refusal, "other">, (f: FailureContext, by: string) => string>
> = {
  FORMERR: ({ server }) =>
    `${server} does not understand DNS UPDATE: check that PALISADE_DNS_UPDATE_SERVER is the zone's primary`,
  SERVFAIL: ({ server, zone }) =>
    `${server} cannot change ${zone} now: see its log; often it has no permission to write the zone's file`,
  NOTIMP: ({ server }) =>
    `${server} does not support DNS UPDATE: check that PALISADE_DNS_UPDATE_SERVER is the zone's primary`,
  REFUSED: ({ server, zone, keyName }) =>
    `${server} does not allow the key ${keyName} to change ${zone}: allow it A and AAAA below the zone there, or check PALISADE_DNS_UPDATE_KEY`,
  NOTAUTH: ({ server, zone }) =>
    `${server} is not the primary of ${zone}: check PALISADE_DNS_UPDATE_SERVER and PALISADE_ZONE`,
  NOTZONE: ({ server, zone }) =>
    `${server} has no zone ${zone} of exactly this name: check PALISADE_ZONE`,
  BADSIG: ({ server, keyName }) =>
    `${server} has another secret for the key ${keyName}: check the secret in PALISADE_DNS_UPDATE_KEY`,
  BADKEY: ({ server, keyName }) =>
    `${server} does not know the key ${keyName} with hmac-sha256: check the name in PALISADE_DNS_UPDATE_KEY`,
  BADTIME: ({ server }, by) =>
    `the clocks of this machine and of ${server} differ${by}: set the clocks, the settings are right`,
};
