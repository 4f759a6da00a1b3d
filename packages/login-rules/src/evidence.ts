import { isKnown } from "@palisade/minecraft-protocol/java/versions";
import { showsProfileKey } from "@palisade/minecraft-protocol/java/login";
import type { LoginContext } from "./login-attempt.ts";
import { isHostingNetwork } from "./network-rules.ts";
import { isToolName, looksRandom } from "./name-rules.ts";
import { failsOften, isFlooding, systemFailsOften } from "./source-history.ts";
import { noSignals, signalOf, type Signals } from "./suspicion.ts";

const bit = {
  noPing: signalOf("no_ping"),
  noKey: signalOf("no_key"),
  oddKey: signalOf("odd_key"),
  unknownVersion: signalOf("unknown_version"),
  unusualVersion: signalOf("unusual_version"),
  toolName: signalOf("tool_name"),
  randomName: signalOf("random_name"),
  alikeName: signalOf("alike_name"),
  networkFailures: signalOf("network_failures"),
  networkFlood: signalOf("network_flood"),
  systemFailures: signalOf("system_failures"),
  sourceFailed: signalOf("source_failed"),
  hosting: signalOf("hosting_network"),
  anonymous: signalOf("anonymous_network"),
  unusualCountry: signalOf("unusual_country"),
};

/**
 * The signals of a login before its verdict. Known players give none, and cost no look-up. It changes
 * nothing.
 */
export function signalsOf(login: LoginContext): Signals {
  if (login.passed !== undefined) return noSignals;
  const { logged, wire } = login.facts;
  if (logged !== undefined) return logged;
  return wire | ofPing(login) | ofName(login) | ofClient(login) | ofSource(login) | ofPlace(login);
}

function ofPing({ facts, rules, state, nowMs }: LoginContext): Signals {
  // A transfer of another server needs no ping.
  if (!rules.notesPings || facts.isTransfer) return noSignals;
  return state.memory.hasPinged(rules.shield, facts.ip, nowMs) ? noSignals : bit.noPing;
}

function ofName({ facts, rules, state, nowMs, newNames }: LoginContext): Signals {
  const { name } = facts;
  const own =
    (isToolName(name) ? bit.toolName : noSignals) |
    (looksRandom(name) ? bit.randomName : noSignals);
  // Names are counted for Advanced AntiBot alone.
  if (!rules.advanced_antibot) return own;
  const { memory } = state;
  const isAlike =
    memory.isNumbered(rules.shield, name, newNames, nowMs) ||
    memory.isAlike(rules.shield, name, newNames, nowMs);
  return isAlike ? own | bit.alikeName : own;
}

function ofClient({ facts, rules, state, nowMs }: LoginContext): Signals {
  const { protocol, profileKey } = facts;
  let signals = noSignals;
  if (facts.form === "modern" && !isKnown(protocol)) signals |= bit.unknownVersion;
  if (state.history.isUnusualVersion(rules.shield, protocol, nowMs)) signals |= bit.unusualVersion;
  if (!showsProfileKey(protocol)) return signals;
  if (profileKey === undefined) return signals | bit.noKey;
  const isValid = profileKey.isReadable && profileKey.expiresAtMs > nowMs;
  return isValid ? signals : signals | bit.oddKey;
}

function ofSource({ facts: { ip }, state, nowMs }: LoginContext): Signals {
  const counts = state.history.ofNetwork(ip, nowMs);
  return (
    (failsOften(counts) ? bit.networkFailures : noSignals) |
    (isFlooding(counts) ? bit.networkFlood : noSignals) |
    (state.history.hasFailed(ip, nowMs) ? bit.sourceFailed : noSignals)
  );
}

function ofPlace({ facts: { ip }, rules, state, nowMs }: LoginContext): Signals {
  const { history } = state;
  let signals = ofLists(state.vpn.find(ip)?.facts);
  const place = state.place?.(ip);
  if (place === undefined) return signals;
  const { asn, country } = place;
  if (asn !== undefined && systemFailsOften(history.ofSystem(asn, nowMs))) {
    signals |= bit.systemFailures;
  }
  if (country !== undefined && history.isUnusualCountry(rules.shield, country, nowMs)) {
    signals |= bit.unusualCountry;
  }
  return signals;
}

function ofLists(listed: Readonly<Record<string, string>> | undefined): Signals {
  if (listed === undefined) return noSignals;
  return isHostingNetwork(listed) ? bit.hosting : bit.anonymous;
}
